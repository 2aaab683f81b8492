/** Whether `If-None-Match` contains this tag (`W/"…"` or `"…"`), by the weak comparison of RFC 9110; `*` matches any. */
export const namesTag = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header === tag || header.trim() === '*') return true
  const opaque = tag.startsWith('W/') ? tag.slice(2) : tag
  // A tag contains no quotes, so text between quotes is a tag, even with commas.
  const named: readonly string[] = header.match(/"[^"]*"/g) ?? []
  return named.includes(opaque)
}
