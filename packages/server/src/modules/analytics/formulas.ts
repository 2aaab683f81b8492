const twoDecimals = (value: number): number => Math.round(value * 100) / 100

export const average = (sum: number, count: number): number => (count === 0 ? 0 : twoDecimals(sum / count))

export const percentage = (part: number, whole: number): number => (whole === 0 ? 0 : twoDecimals((part / whole) * 100))

/** Change in percent; null if the value rose from zero. */
export const change = (now: number, before: number): number | null => {
  if (before === 0) return now === 0 ? 0 : null
  return twoDecimals(((now - before) / before) * 100)
}

export const engagement = ({ posts, comments, reactions }: { posts: number; comments: number; reactions: number }): number =>
  posts * 3 + comments * 2 + reactions
