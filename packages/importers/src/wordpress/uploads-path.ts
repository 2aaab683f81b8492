import type { Site } from './site.ts'

/** Locations of the site's uploads. */
export interface UploadPlaces {
  /** The path of a file below the uploads folder, by its URL; null for other URLs. */
  readonly pathOf: (address: string) => string | null
  /** Substrings of URLs. Every URL that `pathOf` accepts contains one. */
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

/** URLs are recognized by path, regardless of host: sites change their domain but keep `wp-content/uploads`. */
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
