import type { Site } from './site.ts'

/** Where the site serves its uploads, besides `wp-content/uploads`. */
export interface UploadPlaces {
  /** The path of a file below the uploads, by its address in the site; null if it is elsewhere. */
  readonly pathOf: (address: string) => string | null
  /** Parts of addresses: whatever `pathOf` accepts has one of them. */
  readonly needles: readonly string[]
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const DEFAULT = /^(?:https?:)?(?:\/\/[^/]+)?(?:\/[^?#]*?)?\/(?:wp-content|app)\/uploads\/([^?#]+)/i

/** Addresses are recognized by their path, whatever their host: sites move, but keep `wp-content/uploads`. */
export const uploadPlaces = (site: Pick<Site, 'option'>): UploadPlaces => {
  const custom = site.option('upload_url_path')?.trim().replace(/\/+$/, '') ?? ''
  const folder =
    site
      .option('upload_path')
      ?.trim()
      .replace(/^\/+|\/+$/g, '') ?? ''
  const ownFolder = folder === '' || folder.includes('wp-content') ? [] : [`/${folder}/`]
  const pathOf = (address: string): string | null => {
    const url = address.trim()
    if (custom !== '' && url.startsWith(`${custom}/`)) return decoded(url.slice(custom.length + 1).replace(/[?#].*$/s, ''))
    const standard = DEFAULT.exec(url)
    if (standard) return decoded(standard[1] as string)
    if (ownFolder.length === 0) return null
    const at = url.indexOf(`/${folder}/`)
    return at < 0 ? null : decoded(url.slice(at + folder.length + 2).replace(/[?#].*$/s, ''))
  }
  return { pathOf, needles: ['/uploads/', ...(custom === '' ? [] : [`${custom}/`]), ...ownFolder] }
}
