import { BASE_PATH } from './base-path.ts'

const isBelow = (pathname: string) => pathname === BASE_PATH || pathname.startsWith(`${BASE_PATH}/`)

/** The app path of an absolute URL from the API. */
export const pathOf = (url: string): string => {
  const { pathname, search, hash } = new URL(url, location.origin)
  return ((isBelow(pathname) && pathname.slice(BASE_PATH.length)) || '/') + search + hash
}

/** Paths that people enter start at the base path. */
const fromBase = (address: string) => (/^\/(?!\/)/.test(address) && !isBelow(address) ? BASE_PATH + address : address)

/** The path within this app that a URL points to, or null for another site. */
export const appPath = (given: string): string | null => {
  const address = fromBase(given)
  if (!URL.canParse(address, location.origin)) return null
  const { origin, pathname } = new URL(address, location.origin)
  if (origin !== location.origin || !isBelow(pathname)) return null
  const path = pathOf(address)
  return /^\/(?:api|media|docs)\//.test(path) ? null : path
}
