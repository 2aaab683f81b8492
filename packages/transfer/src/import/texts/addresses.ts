import { isSitePath } from '@lyceum/content'
import { storedPaths } from '../../../../server/src/modules/redirects/index.ts'

const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, '')

/**
 * Normalizes source URLs: absolute ones with one of its hosts, and paths. Returns the paths that redirects may have for the URL,
 * most specific first; empty for external URLs.
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
      const url = isOwn(address) ? URL.parse(address, 'https://source.invalid') : null
      return url === null ? [] : storedPaths(url)
    },
  }
}

export type AddressReader = ReturnType<typeof createAddressReader>
