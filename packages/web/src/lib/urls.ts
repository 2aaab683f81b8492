/** Where the app shows something, from an address that the API gave. */
export const pathOf = (url: string): string => {
  const { pathname, search, hash } = new URL(url, location.origin)
  return pathname + search + hash
}

/** The place in this app that an address leads to; null where it leads elsewhere. */
export const placeAt = (address: string): string | null => {
  if (!URL.canParse(address, location.origin)) return null
  const { origin, pathname } = new URL(address, location.origin)
  return origin === location.origin && !/^\/(?:api|media|docs)\//.test(pathname) ? pathOf(address) : null
}
