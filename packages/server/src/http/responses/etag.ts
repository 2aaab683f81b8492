/** Whether `If-None-Match` names this tag (`W/"…"` or `"…"`), compared weakly, as RFC 9110 wants it here; `*` is whatever there is. */
export const namesTag = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header === tag || header.trim() === '*') return true
  const opaque = tag.startsWith('W/') ? tag.slice(2) : tag
  // A tag holds no quotes, so what stands between them is one, whatever commas it holds.
  const named: readonly string[] = header.match(/"[^"]*"/g) ?? []
  return named.includes(opaque)
}
