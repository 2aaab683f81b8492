/** Coalesces calls: calls that wait share one query, but no call gets the result of a query that started before the call. */
export const coalesce = <T>(query: () => Promise<T>): (() => Promise<T>) => {
  let current: Promise<T> | null = null
  let next: Promise<T> | null = null
  const begin = () => {
    const started = query().finally(() => {
      if (current === started) current = null
    })
    current = started
    return started
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
