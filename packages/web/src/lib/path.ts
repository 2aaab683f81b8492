/** Where the app shows something, from an address that the API gave. */
export const pathOf = (url: string): string => {
  const { pathname, search, hash } = new URL(url, location.origin)
  return pathname + search + hash
}
