/**
 * Answers calls with what is asked after they were made: several share one question, but none takes the answer to one that was under way
 * before.
 */
export const shared = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let current: Promise<T> | null = null
  let next: Promise<T> | null = null
  const begin = () => {
    const asked = ask().finally(() => {
      if (current === asked) current = null
    })
    current = asked
    return asked
  }
  return () => {
    if (!current) return begin()
    next ??= current
      .catch(() => {})
      .then(() => {
        next = null
        return begin()
      })
    return next
  }
}
