/** Addresses of uploaded files in texts: relative, or with an origin. */
const UPLOADS = /(https?:\/\/[^/\s"'<>()[\]]{1,255})?((?:\/[\w.~-]{1,100}){0,5})\/assets\/uploads\/([^\s"'<>()[\]?#\\]+)/g

export interface UploadLink {
  /** Null for a relative address. */
  readonly origin: string | null
  readonly base: string
  /** Path of the file within the folder of uploads. */
  readonly file: string
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The uploaded files that a text refers to, in order. */
export const uploadsIn = (text: string): UploadLink[] =>
  text.includes('/assets/uploads/')
    ? [...text.matchAll(UPLOADS)].map(([, origin, base, path]) => ({
        origin: origin ?? null,
        base: base ?? '',
        file: decoded(path as string),
      }))
    : []

/** The file of an address in a field of its own; null for one of another site. */
export const uploadOf = (address: string, origins: readonly string[]): string | null => {
  const [link] = uploadsIn(address.replace(/^\/uploads\//, '/assets/uploads/'))
  return link && (link.origin === null || origins.includes(link.origin)) ? link.file : null
}

/** All addresses that a file had. */
export const addressesOf = (file: string, base: string): string[] => {
  const paths = [...new Set([file, file.split('/').map(encodeURIComponent).join('/')])]
  return paths.flatMap((path) => [`${base}/assets/uploads/${path}`, ...(base ? [`/assets/uploads/${path}`] : [])])
}
