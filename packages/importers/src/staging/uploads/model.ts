import type { Readable } from 'node:stream'

/** The uploaded files of a site. */
export interface Uploads {
  /** Opens the file at a path below the uploads folder, ignoring case and Unicode normalization; null if it does not exist. */
  readonly open: (path: string) => Promise<Readable | null>
  /** Paths of all files below a folder of the uploads, in any order; empty if the place cannot list files, such as a site. */
  readonly list: (folder: string) => AsyncIterable<string>
  readonly close: () => Promise<void>
}
