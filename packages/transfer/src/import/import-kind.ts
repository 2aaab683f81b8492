import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import type { Unreadable } from '@lyceum/importers'
import {
  batchStatement,
  type Db,
  invalidateEverything,
  isUniqueViolation,
  statementExists,
  type Value,
} from '../../../server/src/db/index.ts'
import { type Candidate, type Item, readBatches } from './batches.ts'
import { fingerprintOf } from './hashes.ts'
import { findMapped, type Mapped, updateMapped } from './lookups.ts'
import type { Run } from './run.ts'
import { type Slice, writeSlice } from './slice.ts'

/** The decision what to write for a record. */
export interface Decision<K extends ArchiveKind = ArchiveKind> {
  readonly item: Item<K>
  /** The id of its row; null if the table has none. */
  readonly id: number | null
  /** Values of the guarded columns; null if the record maps to an existing row that the import must not change. */
  readonly guarded: readonly Value[] | null
  /** It references a record that was not imported yet. */
  readonly unresolved?: boolean
}

/** Columns of a table that the import writes. If a row's values differ from the imported ones, the row was changed in this community. */
export interface Guarded {
  readonly table: string
  readonly columns: readonly string[]
}

export interface KindWriter<K extends ArchiveKind, D extends Decision<K>> {
  readonly kind: K
  /** Null: changes at the source are ignored. */
  readonly guarded: Guarded | null
  /** Maximum number of records in a batch. */
  readonly most?: number
  /** Receives records that are not written because they are unchanged. */
  readonly pass?: (run: Run, records: readonly ArchiveRecord<K>[]) => Promise<void>
  /** Decides what to write for new and changed records, and settles the others. It must not write. */
  readonly decide: (run: Run, items: readonly Item<K>[], settle: Settle<K>) => Promise<D[]>
  readonly insert: (run: Run, slice: Slice, decided: readonly D[]) => Promise<void>
  /** Writes changed records whose rows were not changed in this community. */
  readonly update?: (run: Run, slice: Slice, decided: readonly D[]) => Promise<void>
}

/** Reports why a record is not written. */
export type Settle<K extends ArchiveKind> = (item: Item<K>, outcome: 'skipped' | 'failed', reason: string) => void

interface Settled {
  readonly record: ArchiveRecord<ArchiveKind>
  readonly outcome: 'unchanged' | 'skipped' | 'failed'
  readonly reasons: readonly string[]
}

interface Prepared<D> {
  readonly settled: Settled[]
  readonly inserts: readonly D[]
  readonly updates: readonly D[]
}

const guardedRows = new Map<string, ReturnType<typeof batchStatement<Record<string, Value>>>>()

/** Current fingerprints of rows by id. */
const fingerprintsOf = async (db: Db, { table, columns }: Guarded, ids: readonly number[]): Promise<Map<number, string>> => {
  const key = `${table} ${columns.join()}`
  const run =
    guardedRows.get(key) ??
    batchStatement<Record<string, Value>>(
      { id: 'bigint' },
      (rows) => `select t.id, ${columns.map((column) => `t.${column}`).join(', ')} from ${rows} d cross join ${table} t where t.id = d.id`,
    )
  guardedRows.set(key, run)
  const rows = await run(db, ids)
  return new Map(rows.map((row) => [row['id'] as number, fingerprintOf(columns.map((column) => row[column] ?? null))]))
}

const MAP = ['source', 'kind', 'foreign_id', 'local_id', 'hash', 'fingerprint', 'unresolved']
const flag = (value: boolean | undefined): 0 | 1 => (value ? 1 : 0)
const fingerprintIn = ({ guarded }: Decision): string => (guarded === null ? '' : fingerprintOf(guarded))

/** Writes decided records and their rows of the import map in one transaction. */
const write = async <K extends ArchiveKind, D extends Decision<K>>(
  run: Run,
  writer: KindWriter<K, D>,
  { inserts, updates }: Prepared<D>,
) => {
  const { kind } = writer
  await run.services.database.write(async (db) => {
    // Without a running server, there are no cache entries to preserve.
    if (!run.beside) await invalidateEverything(db)
    await writeSlice(run, db, async (slice) => {
      if (inserts.length > 0) await writer.insert(run, slice, inserts)
      if (updates.length > 0) await writer.update?.(run, slice, updates)
      await slice.add(
        'import_map',
        MAP,
        inserts.map((one) => [run.name, kind, one.item.record.id, one.id, one.item.hash, fingerprintIn(one), flag(one.unresolved)]),
      )
      await updateMapped(
        db,
        run.name,
        kind,
        updates.map((one) => [one.item.record.id, one.item.hash, fingerprintIn(one), flag(one.unresolved)]),
      )
    })
  })
}

const PRESERVED = 'it was changed in this community after the last import'
const DELETED = 'it was deleted in this community'
const NOT_OURS = 'it already existed in this community'

/** Sorts records into unchanged ones, ones that this community changed, and ones to write. */
const sort = async <K extends ArchiveKind, D extends Decision<K>>(
  run: Run,
  { kind, guarded }: KindWriter<K, D>,
  candidates: readonly Candidate<K>[],
  settled: Settled[],
  again: boolean,
): Promise<Item<K>[]> => {
  const { read } = run.services.database
  const known = await findMapped(
    read,
    run.name,
    kind,
    candidates.map(({ record }) => record.id),
  )
  const isDue = (row: Mapped, hash: string) => (again ? row.unresolved === 1 && row.hash === hash : row.hash !== hash)
  const changed = candidates.flatMap(({ record, hash }) => {
    const row = known.get(record.id)
    return row && isDue(row, hash) && row.local_id !== null && row.fingerprint !== '' ? [row] : []
  })
  const present =
    guarded === null
      ? new Map<number, string>()
      : await fingerprintsOf(
          read,
          guarded,
          changed.map((row) => row.local_id as number),
        )
  /** The reason not to write a changed record; null if it is written. */
  const obstacle = (row: Mapped): string | null => {
    if (row.fingerprint === '') return NOT_OURS
    const fingerprint = present.get(row.local_id ?? 0)
    return fingerprint === undefined ? DELETED : fingerprint === row.fingerprint ? null : PRESERVED
  }
  const items: Item<K>[] = []
  for (const { record, hash } of candidates) {
    const row = known.get(record.id)
    if (row ? !isDue(row, hash) || guarded === null : again) settled.push({ record, outcome: 'unchanged', reasons: [] })
    else {
      const reason = row ? obstacle(row) : null
      if (reason === null) items.push({ record, hash, known: row, notes: [] })
      else settled.push({ record, outcome: 'skipped', reasons: [reason] })
    }
  }
  return items
}

const prepare = async <K extends ArchiveKind, D extends Decision<K>>(
  run: Run,
  writer: KindWriter<K, D>,
  candidates: readonly Candidate<K>[],
  again = false,
): Promise<Prepared<D>> => {
  const settled: Settled[] = []
  await run.memory.turn()
  const items = await sort(run, writer, candidates, settled, again)
  if (settled.length > 0)
    await writer.pass?.(
      run,
      settled.map(({ record }) => record as ArchiveRecord<K>),
    )
  const settle: Settle<K> = ({ record, notes }, outcome, reason) => settled.push({ record, outcome, reasons: [...notes, reason] })
  const decided = items.length > 0 ? await writer.decide(run, items, settle) : []
  return {
    settled,
    inserts: decided.filter(({ item }) => item.known === undefined),
    updates: decided.filter(({ item }) => item.known !== undefined),
  }
}

const count = <K extends ArchiveKind, D extends Decision<K>>({ report }: Run, kind: K, { settled, inserts, updates }: Prepared<D>) => {
  for (const { record, outcome, reasons } of settled) {
    report.count(kind, outcome, record.id, reasons)
    if (outcome === 'unchanged') report.tally(kind, record)
  }
  const counted = (decided: readonly D[], outcome: 'imported' | 'changed') => {
    for (const { item } of decided) {
      report.count(kind, outcome, item.record.id, item.notes)
      report.tally(kind, item.record)
    }
  }
  counted(inserts, 'imported')
  counted(updates, 'changed')
}

/** Whether an error means that a concurrent change invalidated the decision. */
const isOutdated = (error: unknown): boolean => {
  const code = String((error as { code?: unknown } | null)?.code)
  return isUniqueViolation(error) || code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}
const MAX_TRIES = 5

const hasUnresolved = statementExists('select 1 as one from import_map where unresolved = 1 and source = $1 and kind = $2 limit 1')

/**
 * Imports the records of a kind in batches, one transaction each. While a batch is written, the next one is decided and its texts are
 * rendered.
 */
export const importKind = async <K extends ArchiveKind, D extends Decision<K>>(
  run: Run,
  writer: KindWriter<K, D>,
  total: number | undefined,
): Promise<void> => {
  const { kind, most = Number.POSITIVE_INFINITY } = writer
  const { report, pace, options } = run
  report.begin(kind)
  let done = 0
  const leave = ({ id, reason, outcome = 'failed' }: Unreadable) => {
    if (outcome === 'noted') return report.note(kind, id, reason)
    done++
    report.count(kind, outcome, id, [reason])
  }

  const store = async (candidates: readonly Candidate<K>[], first: Prepared<D>): Promise<void> => {
    let prepared = first
    if (!run.isDry) {
      for (let left = MAX_TRIES; ; left--) {
        const start = performance.now()
        const rows = prepared.inserts.length + prepared.updates.length
        if (rows === 0) break
        try {
          await write(run, writer, prepared)
          pace.adapt(kind, candidates.length, performance.now() - start)
          await pace.rest()
          break
        } catch (error) {
          if (!isOutdated(error) || left === 0) throw error
          prepared = await prepare(run, writer, candidates)
        }
      }
    }
    count(run, kind, prepared)
    done += candidates.length
    options.onProgress?.(kind, done, total)
  }

  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const candidates of readBatches(run.source, kind, () => Math.min(pace.size(kind), most), leave)) {
      run.checkSignal()
      // A failure is reported when the promise is awaited.
      const [prepared] = await Promise.all([prepare(run, writer, candidates), writing])
      writing = store(candidates, prepared)
      writing.catch(() => {})
    }
  } finally {
    // If the import fails, wait until no write is running.
    await writing
  }
}

/** Writes records again that referenced records imported after them, such as a link to a later space. */
export const importAgain = async <K extends ArchiveKind, D extends Decision<K>>(run: Run, writer: KindWriter<K, D>): Promise<void> => {
  const { kind, most = 500 } = writer
  if (!(await hasUnresolved(run.services.database.read, [run.name, kind]))) return
  for await (const candidates of readBatches(
    run.source,
    kind,
    () => most,
    () => {},
  )) {
    run.checkSignal()
    const prepared = await prepare(run, writer, candidates, true)
    if (prepared.updates.length === 0) continue
    await write(run, writer, prepared)
    await run.pace.rest()
  }
}
