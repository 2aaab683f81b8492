/** Coalesces calls: calls that wait share one query, but no call gets the result of a query that started before the call. */
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
