import type { Readable } from 'node:stream'

/** The uploaded files of a site. */
export interface Uploads {
  /** The content of the file at a path below the uploads; null if there is none. Case and the composition of characters do not matter. */
  readonly open: (path: string) => Promise<Readable | null>
  readonly close: () => Promise<void>
}
