import { Readable } from 'node:stream'
import { ARCHIVE_KINDS, type ArchiveKind, type ArchiveRecord } from '@lyceum/contract/archive'
import type { Entry, Source } from '@lyceum/importers'

export type Records = { [K in ArchiveKind]?: readonly Entry<K>[] }

export interface SourceOptions {
  readonly name?: string
  readonly origins?: readonly string[]
  /** Contents of files by their paths. */
  readonly files?: Readonly<Record<string, Buffer>>
  readonly leftOut?: Readonly<Record<string, number>>
  /** Called before each record is read; it may throw. */
  readonly onRead?: (kind: ArchiveKind, index: number) => void
}

/** A source whose records are in memory. */
export const memorySource = (records: Records, options: SourceOptions = {}): Source => {
  const { name = 'buddypress', origins = ['https://old.example'], files = {}, leftOut = {}, onRead = () => {} } = options
  return {
    name,
    origins,
    basePath: '',
    counts: async () => Object.fromEntries(ARCHIVE_KINDS.flatMap((kind) => (records[kind] ? [[kind, records[kind].length]] : []))),
    read: async function* <K extends ArchiveKind>(kind: K) {
      for (const [i, entry] of ((records[kind] ?? []) as readonly Entry<K>[]).entries()) {
        onRead(kind, i)
        yield entry
      }
    },
    openMedia: async ({ file }: ArchiveRecord<'media'>) => {
      const content = file === undefined ? undefined : files[file]
      return content === undefined ? null : Readable.from([content])
    },
    leftOut: async () => leftOut,
    close: async () => {},
  }
}
