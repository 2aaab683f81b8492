import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import type { Source, Unreadable } from '@lyceum/importers'
import { recordProblem } from '@lyceum/importers/check-record'
import { recordHash } from './hashes.ts'
import type { Mapped } from './lookups.ts'

/** A valid record that is new or changed at the source. */
export interface Item<K extends ArchiveKind> {
  readonly record: ArchiveRecord<K>
  readonly hash: string
  /** Row of the import map, if it was imported before. */
  readonly known: Mapped | undefined
  /** Report notes: changes made during the import. */
  readonly notes: string[]
}

/** Bounds the memory of a batch with long texts. */
const MAX_BATCH_BYTES = 4_000_000

/** JSON escapes of characters that databases reject. */
const REFUSED = /\\u0000|\\ud[89a-f]/i

const clean = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(clean)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.replaceAll('\0', '').toWellFormed(), clean(one)]))
}

export type Candidate<K extends ArchiveKind> = Pick<Item<K>, 'record' | 'hash'>

/** Yields the valid records of a kind in batches. `size` is called before each batch; `leave` receives the other entries. */
export async function* readBatches<K extends ArchiveKind>(
  source: Source,
  kind: K,
  size: () => number,
  leave: (row: Unreadable) => void,
): AsyncGenerator<Candidate<K>[]> {
  let batch: Candidate<K>[] = []
  let bytes = 0
  for await (const entry of source.read(kind)) {
    if ('unreadable' in entry && entry.unreadable !== undefined) {
      leave(entry.unreadable)
      continue
    }
    const given = entry as ArchiveRecord<K>
    const text = JSON.stringify(given)
    const record = REFUSED.test(text) ? (clean(given) as ArchiveRecord<K>) : given
    const problem = recordProblem(kind, record)
    if (problem !== null) {
      leave({ id: String(record.id ?? ''), reason: problem })
      continue
    }
    batch.push({ record, hash: recordHash(text) })
    bytes += text.length
    if (batch.length < size() && bytes < MAX_BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
