const NUMBER = /^(\d+)(?:[-_.)\s]+|$)/
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const numberOf = (name: string): number => Number(NUMBER.exec(name)?.[1] ?? Number.POSITIVE_INFINITY)

/** Sorts numbered names by number, followed by the others in natural order. */
export const byNumber = (a: string, b: string): number => {
  const [one, other] = [numberOf(a), numberOf(b)]
  if (one !== other) return one < other ? -1 : 1
  return natural.compare(a, b) || (a < b ? -1 : 1)
}

/** `02-first-steps.md` → `First steps`. */
export const titleFromName = (name: string): string => {
  const stem = name.replace(/\.(?:gift\.txt|[a-z0-9]{1,5})$/i, '')
  const words = stem.replace(NUMBER, '').replace(/[-_]+/g, ' ').trim() || stem
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `02-first-steps`, for the n-th of `count`. */
export const numberedName = (n: number, count: number, slug: string): string =>
  `${String(n).padStart(Math.max(2, String(count).length), '0')}-${slug || 'untitled'}`
