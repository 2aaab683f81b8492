import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { batchStatement, insertRows, openDatabase, runText } from '../../../server/src/db/index.ts'
import type { Found, FoundKind } from './lookups.ts'

/**
 * Decided records that are not in the database yet: rows by kind and source id, and the unique values that they use, such as a reaction
 * of a person to a post.
 */
export interface Memory {
  readonly find: <K extends FoundKind>(kind: K, ids: readonly string[]) => Promise<Map<string, Found[K]>>
  readonly put: <K extends FoundKind>(kind: K, id: string, found: Found[K]) => void
  readonly taken: (values: readonly string[]) => Promise<Set<string>>
  readonly take: (value: string) => void
  /** Call it before the next batch is decided. */
  readonly turn: () => Promise<void>
  readonly close: () => Promise<void>
}

interface Generation {
  readonly found: Map<string, unknown>
  readonly taken: Set<string>
}

const newGeneration = (): Generation => ({ found: new Map(), taken: new Set() })
const keyOf = (kind: string, id: string) => `${kind} ${id}`

/** Holds two batches: the one being decided and the one being written. */
export const rememberBatches = (): Memory => {
  let earlier = newGeneration()
  let current = newGeneration()
  return {
    find: async <K extends FoundKind>(kind: K, ids: readonly string[]) => {
      const all = new Map<string, Found[K]>()
      for (const id of ids) {
        const found = current.found.get(keyOf(kind, id)) ?? earlier.found.get(keyOf(kind, id))
        if (found !== undefined) all.set(id, found as Found[K])
      }
      return all
    },
    put: (kind, id, found) => void current.found.set(keyOf(kind, id), found),
    taken: async (values) => new Set(values.filter((value) => current.taken.has(value) || earlier.taken.has(value))),
    take: (value) => void current.taken.add(value),
    turn: async () => {
      earlier = current
      current = newGeneration()
    },
    close: async () => {},
  }
}

const foundOf = batchStatement<{ id: string; value: string }>(
  { id: 'text' },
  (rows) => `select m.id, m.value from ${rows} d cross join found m where m.kind = $2 and m.id = d.id`,
)
const takenOf = batchStatement<{ value: string }>(
  { value: 'text' },
  (rows) => `select m.value from ${rows} d cross join taken m where m.value = d.value`,
)

/** Holds all records in a temporary file, for a dry run. */
export const rememberAll = async (): Promise<Memory> => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-import-'))
  const database = openDatabase({ url: '', dataDir: folder, poolSize: 1 })
  await database.write(async (db) => {
    await runText(
      db,
      'create table found (kind text not null, id text not null, value text not null, primary key (kind, id)) without rowid',
      [],
    )
    await runText(db, 'create table taken (value text primary key) without rowid', [])
  })
  const current = { ...newGeneration(), rows: [] as [string, string, string][] }
  return {
    find: async <K extends FoundKind>(kind: K, ids: readonly string[]) => {
      const rows = await foundOf(database.read, ids, [kind])
      const all = new Map(rows.map(({ id, value }) => [id, JSON.parse(value) as Found[K]]))
      for (const id of ids) {
        const found = current.found.get(keyOf(kind, id))
        if (found !== undefined) all.set(id, found as Found[K])
      }
      return all
    },
    put: (kind, id, found) => {
      if (!current.found.has(keyOf(kind, id))) current.rows.push([kind, id, JSON.stringify(found)])
      current.found.set(keyOf(kind, id), found)
    },
    taken: async (values) => {
      const stored = (await takenOf(database.read, values)).map(({ value }) => value)
      return new Set([...stored, ...values.filter((value) => current.taken.has(value))])
    },
    take: (value) => void current.taken.add(value),
    turn: async () => {
      await database.write(async (db) => {
        await insertRows(db, 'found', ['kind', 'id', 'value'], current.rows)
        await insertRows(
          db,
          'taken',
          ['value'],
          [...current.taken].map((value) => [value]),
        )
      })
      current.rows.length = 0
      current.found.clear()
      current.taken.clear()
    },
    close: async () => {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
