/** URLs of uploaded files in texts, relative or absolute. */
const UPLOADS = /(https?:\/\/[^/\s"'<>()[\]]{1,255})?((?:\/[\w.~-]{1,100}){0,5})\/assets\/uploads\/([^\s"'<>()[\]?#\\]+)/g

export interface UploadLink {
  /** Null for relative URLs. */
  readonly origin: string | null
  readonly base: string
  /** Path below the uploads folder. */
  readonly file: string
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The uploaded files that a text references, in order. */
export const uploadsIn = (text: string): UploadLink[] =>
  text.includes('/assets/uploads/')
    ? [...text.matchAll(UPLOADS)].map(([, origin, base, path]) => ({
        origin: origin ?? null,
        base: base ?? '',
        file: decoded(path as string),
      }))
    : []

/** The upload path of a URL in a field; null for external URLs. */
export const uploadOf = (address: string, origins: readonly string[]): string | null => {
  const [link] = uploadsIn(address.replace(/^\/uploads\//, '/assets/uploads/'))
  return link && (link.origin === null || origins.includes(link.origin)) ? link.file : null
}

/** All URLs of a file. */
export const addressesOf = (file: string, base: string): string[] => {
  const paths = [...new Set([file, file.split('/').map(encodeURIComponent).join('/')])]
  return paths.flatMap((path) => [`${base}/assets/uploads/${path}`, ...(base ? [`/assets/uploads/${path}`] : [])])
}
