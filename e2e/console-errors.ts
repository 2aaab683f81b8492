/** What a window complained about, but for answers that the journey meant to get. */
export const unmeant = (complaints: readonly string[], ...statuses: readonly number[]): readonly string[] =>
  complaints.filter((text) => !statuses.some((status) => text.includes(`status of ${status} `)))
