import type { Readable } from 'node:stream'
import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'

/** A row of the source that has no record or an incomplete one. */
export interface Unreadable {
  readonly id: string
  readonly reason: string
  /**
   * `failed` (default): the row is broken; `skipped`: it is omitted on purpose, such as a duplicate; `noted`: a separate entry has its
   * record, which is incomplete.
   */
  readonly outcome?: 'failed' | 'skipped' | 'noted'
}

/** A row of the source: its record, or the reason why it has none. */
export type Entry<K extends ArchiveKind> = ArchiveRecord<K> | { readonly unreadable: Unreadable }

/** A community to import, from an archive, dump, database or site. Callers read its kinds in the order of ARCHIVE_KINDS. */
export interface Source {
  /** Name of the source in mappings and reports, such as `buddypress`. */
  readonly name: string
  /** Origins of the site's URLs, such as https://community.example, without a trailing slash. */
  readonly origins: readonly string[]
  /** Path of the site below its origin; empty for the root. */
  readonly basePath: string
  /** Number of rows per kind; unsupported kinds are absent. */
  readonly counts: () => Promise<Partial<Record<ArchiveKind, number>>>
  /** The records of a kind in a stable order. */
  readonly read: <K extends ArchiveKind>(kind: K) => AsyncIterable<Entry<K>>
  /** Content of a media record; null if the file is missing. */
  readonly openMedia: (media: ArchiveRecord<'media'>) => Promise<Readable | null>
  /** Counts of data that Lyceum cannot import, such as private messages, by name. */
  readonly leftOut: () => Promise<Readonly<Record<string, number>>>
  readonly close: () => Promise<void>
}

/** Locations and credentials for parts of the source outside of `place`. */
export interface OpenOptions {
  /** A folder or archive with the uploaded files. */
  readonly uploads?: string
  /** Account for the API of the source, if the place is a site URL. */
  readonly user?: string
  readonly password?: string
  /** Folder for temporary files; defaults to the system's. */
  readonly temporary?: string
  /** Aborts reading. */
  readonly signal?: AbortSignal
}

/** Opens a place: a file, a folder, the URL of a database or of a site. @throws UnreadableSource */
export type OpenSource = (place: string, options: OpenOptions) => Promise<Source>

/** Thrown for a place that is not a readable source. The message is shown to the person who chose it. */
export class UnreadableSource extends Error {
  override name = 'UnreadableSource'
}
