import type { Readable } from 'node:stream'
import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'

/** Why a row of the source has no record, or not all of it. */
export interface Unreadable {
  readonly id: string
  readonly reason: string
  /**
   * `failed`, the default: the row is broken; `skipped`: it is left out on purpose, such as a duplicate; `noted`: its record is another
   * entry, which lacks something.
   */
  readonly outcome?: 'failed' | 'skipped' | 'noted'
}

/** A row of the source: its record, or why there is none. */
export type Entry<K extends ArchiveKind> = ArchiveRecord<K> | { readonly unreadable: Unreadable }

/** A community to import: an archive, a dump, a database or a site. It streams its records by kind, in the order of ARCHIVE_KINDS. */
export interface Source {
  /** Name of the source in mappings and reports, such as `buddypress`. */
  readonly name: string
  /** Origins of the addresses in texts, such as https://community.example, without a trailing slash. */
  readonly origins: readonly string[]
  /** Path of the site below its origin; empty for the root. */
  readonly basePath: string
  /** Number of rows per kind; kinds that the source cannot have are absent. */
  readonly counts: () => Promise<Partial<Record<ArchiveKind, number>>>
  /** The records of a kind in a stable order. */
  readonly read: <K extends ArchiveKind>(kind: K) => AsyncIterable<Entry<K>>
  /** Content of a media record; null if it is missing. */
  readonly openMedia: (media: ArchiveRecord<'media'>) => Promise<Readable | null>
  /** What the source has that cannot be imported at all, for the report, such as private messages: a count by name. */
  readonly leftOut: () => Promise<Readonly<Record<string, number>>>
  readonly close: () => Promise<void>
}

/** Where the parts of a source are that its place does not contain. */
export interface OpenOptions {
  /** A folder or archive with the uploaded files. */
  readonly uploads?: string
  /** Account of the source's API, for a site's address. */
  readonly user?: string
  readonly password?: string
  /** Folder for temporary files; default: that of the system. */
  readonly temporary?: string
  /** Stops reading. */
  readonly signal?: AbortSignal
}

/** Opens a place: a file, a folder, the URL of a database or of a site. @throws UnreadableSource */
export type OpenSource = (place: string, options: OpenOptions) => Promise<Source>

/** Thrown for a place that is not a readable source; the message is for the person who named it. */
export class UnreadableSource extends Error {
  override name = 'UnreadableSource'
}
