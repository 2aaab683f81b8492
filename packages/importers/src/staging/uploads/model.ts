import type { Readable } from 'node:stream'

/** The uploaded files of a site. */
export interface Uploads {
  /** The content of the file at a path below the uploads; null if there is none. Case and the composition of characters do not matter. */
  readonly open: (path: string) => Promise<Readable | null>
  /** Paths of the files in a folder below the uploads and in its folders, in any order; none if the place cannot list them, such as a site. */
  readonly list: (folder: string) => AsyncIterable<string>
  readonly close: () => Promise<void>
}
