/** The app path of an absolute URL from the API. */
export const pathOf = (url: string): string => {
  const { pathname, search, hash } = new URL(url, location.origin)
  return pathname + search + hash
}

/** The path within this app that a URL points to, or null for another site. */
export const appPath = (address: string): string | null => {
  if (!URL.canParse(address, location.origin)) return null
  const { origin, pathname } = new URL(address, location.origin)
  return origin === location.origin && !/^\/(?:api|media|docs)\//.test(pathname) ? pathOf(address) : null
}
