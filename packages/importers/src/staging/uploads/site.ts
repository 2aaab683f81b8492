import { createHttp, isAddress } from '../../http.ts'
import type { Uploads } from './model.ts'
import { spellings } from './paths.ts'

/** Maximum size of a fetched file. */
const MOST_BYTES = 1024 * 1024 * 1024

/** URL of the uploads folder: the given URL if it ends with the folder, otherwise `folder` below it. */
const baseOf = (address: string, folder: string): string => {
  const base = address.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  return /\/uploads$/i.test(base) ? base : `${base}/${folder}`
}

/** Empty list, for places that cannot list files. */
export async function* noFiles(): AsyncGenerator<string> {}

/** Fetches uploads from the site, one at a time. */
export const uploadsOfSite = (address: string, folder: string): Uploads => {
  const http = createHttp()
  const base = baseOf(address, folder)
  return {
    open: async (path) => {
      if (isAddress(path)) return null
      for (const spelling of spellings(path)) {
        const found = await http.open(`${base}/${spelling.split('/').map(encodeURIComponent).join('/')}`, MOST_BYTES)
        if (found) return found
      }
      return null
    },
    list: noFiles,
    close: async () => {},
  }
}
