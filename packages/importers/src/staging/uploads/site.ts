import { createHttp, isAddress } from '../../http.ts'
import type { Uploads } from './model.ts'
import { spellings } from './paths.ts'

/** The largest file that is fetched. */
const MOST_BYTES = 1024 * 1024 * 1024

/** The folder of the uploads at an address: the address itself if it names the folder, otherwise `folder` below it. */
const baseOf = (address: string, folder: string): string => {
  const base = address.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  return /\/uploads$/i.test(base) ? base : `${base}/${folder}`
}

/** A folder whose files cannot be listed. */
export async function* noFiles(): AsyncGenerator<string> {}

/** Uploads that are fetched from the site itself, one after the other. */
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
