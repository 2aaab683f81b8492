import { isSitePath } from '../../../../server/src/content/url.ts'

const MAX_PATH = 1000

const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, '')

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** How redirects store a path: decoded, without a slash at the end. */
export const normalizePath = (path: string): string =>
  decoded(path)
    .replace(/\0/g, '')
    .replace(/(?<=.)\/+$/, '')

/**
 * Reads addresses of the source: absolute ones with one of its hosts, and paths. Gives the paths under which redirects may have the address,
 * most exact first; empty for addresses of other sites.
 */
export const createAddressReader = (origins: readonly string[]) => {
  const hosts = new Set(origins.flatMap((origin) => URL.parse(origin)?.host ?? []).map(withoutWww))
  const isOwn = (address: string): boolean => {
    if (isSitePath(address)) return true
    const url = /^(?:https?:)?\/\//i.test(address) ? URL.parse(address, 'https://other.invalid') : null
    return url !== null && hosts.has(withoutWww(url.host))
  }
  return {
    isOwn,
    paths: (address: string): string[] => {
      if (!isOwn(address)) return []
      const url = URL.parse(address, 'https://source.invalid')
      if (!url || url.pathname.length > MAX_PATH) return []
      const path = normalizePath(url.pathname)
      const paths = url.search ? [`${path}${decoded(url.search)}`, path] : [path]
      // The page of the whole site is not the address of an object, unless a query names one.
      return paths.filter((one) => one !== '/' && one.length <= MAX_PATH)
    },
  }
}

export type AddressReader = ReturnType<typeof createAddressReader>
