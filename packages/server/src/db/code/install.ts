import { sql } from 'kysely'
import { invalidateEverything } from '../changes/invalidate-everything.ts'
import { type Database, type Db, type Dialect, dialectOf } from '../database.ts'
import { runText } from '../sql/statement.ts'
import type { CodeObject } from './code-object.ts'
import { CODE, type Code, hashOf } from './index.ts'

/** Serializes migrations and installations of instances that start simultaneously. */
export const LOCK_SCHEMA = 'select pg_advisory_xact_lock(4839201)'

/** `made`: the hash of the definition in the catalog after the installation, so that manual changes are detected. */
const TABLE = `create table if not exists installed_code (
  name text primary key, version integer not null, hash text not null, made text not null)`

interface Installed {
  readonly name: string
  readonly version: number
  readonly hash: string
  readonly made: string
}

interface Present {
  readonly name: string
  readonly table: string
  readonly definition: string
}

const CATALOGUE: Readonly<Record<Dialect, string>> = {
  sqlite: `select name, tbl_name as "table", sql as definition from sqlite_schema where type = 'trigger'`,
  postgres: `select t.tgname::text as name, c.relname::text as "table",
      t.tgenabled::text || ' ' || pg_get_triggerdef(t.oid, true) || ' ' || p.prosrc as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`,
}

const HAS_TABLE: Readonly<Record<Dialect, string>> = {
  sqlite: `select 1 from sqlite_schema where name = 'installed_code'`,
  postgres: `select 1 where to_regclass('installed_code') is not null`,
}

/** Names that only this program uses: a trigger that is no longer defined is obsolete. */
const OWN_NAMES = /^(analytics|invalidate|feed_index|feed_search|follow|feeds_noted|feeds_unsearched)(_|$)/

/** Differences between the triggers of a database and those of this version, by name. */
export interface CodeState {
  /** The installed version, if it is newer than this one; then its definitions stay. */
  readonly newer: number | null
  readonly missing: readonly string[]
  readonly different: readonly string[]
  readonly leftover: readonly string[]
}

interface Examined extends CodeState {
  readonly wanted: readonly CodeObject[]
  readonly present: readonly Present[]
  readonly highest: number
  /** Recorded triggers that are neither defined nor there. */
  readonly forgotten: readonly string[]
}

const examine = async (db: Db, code: Code): Promise<Examined> => {
  const dialect = dialectOf(db)
  const hasTable = (await runText(db, HAS_TABLE[dialect], [])).length > 0
  const rows = hasTable ? await runText<Installed>(db, 'select name, version, hash, made from installed_code', []) : []
  const present = await runText<Present>(db, CATALOGUE[dialect], [])
  const installed = new Map(rows.map((row) => [row.name, row]))
  const found = new Map(present.map((one) => [one.name, one]))
  const wanted = code.objects(dialect)
  const names = new Set(wanted.map(({ name }) => name))
  const isSame = ({ name, statements }: CodeObject) => {
    const row = installed.get(name)
    return row?.hash === hashOf(statements) && row.made === hashOf(found.get(name)?.definition)
  }
  const highest = Math.max(0, ...rows.map(({ version }) => version))
  return {
    wanted,
    present,
    highest,
    forgotten: [...installed.keys()].filter((name) => !names.has(name) && !found.has(name)),
    newer: highest > code.version ? highest : null,
    missing: [...names].filter((name) => !found.has(name)),
    different: wanted.filter((one) => found.has(one.name) && !isSame(one)).map(({ name }) => name),
    leftover: present.map(({ name }) => name).filter((name) => !names.has(name) && (installed.has(name) || OWN_NAMES.test(name))),
  }
}

export const codeState = async (db: Db, code = CODE): Promise<CodeState> => {
  const { newer, missing, different, leftover } = await examine(db, code)
  return { newer, missing, different, leftover }
}

const save = `insert into installed_code (name, version, hash, made) values ($1, $2, $3, $4)
  on conflict (name) do update set version = excluded.version, hash = excluded.hash, made = excluded.made`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const FORGET = 'delete from installed_code where name = $1'

/** The names come from the catalog, so they are quoted. */
const remove = async (db: Db, { name, table }: Present) => {
  const isShared = dialectOf(db) === 'postgres'
  await sql.raw(`drop trigger if exists ${quoted(name)}${isShared ? ` on ${quoted(table)}` : ''}`).execute(db)
  if (isShared) await sql.raw(`drop function if exists ${quoted(name)}()`).execute(db)
  await runText(db, FORGET, [name])
}

/**
 * Installs the triggers that differ, inside a transaction: those of all tables, or of one. Definitions of a newer version stay.
 * @returns the names of the created, replaced and removed triggers
 */
export const installWithin = async (db: Db, code = CODE, only?: string): Promise<string[]> => {
  const dialect = dialectOf(db)
  if (dialect === 'postgres') await runText(db, LOCK_SCHEMA, [])
  await sql.raw(TABLE).execute(db)
  const { newer, missing, different, leftover, forgotten, wanted, present, highest } = await examine(db, code)
  if (newer !== null) return []
  const isAbout = (table: string) => only === undefined || table === only
  const wrong = new Set([...missing, ...different])
  const made = wanted.filter(({ name, table }) => wrong.has(name) && isAbout(table))
  for (const { statements } of made) for (const text of statements) await sql.raw(text).execute(db)
  if (only === undefined) for (const name of forgotten) await runText(db, FORGET, [name])
  const removed = present.filter(({ name, table }) => leftover.includes(name) && isAbout(table))
  for (const one of removed) await remove(db, one)
  if (made.length > 0) {
    const definitions = new Map((await runText<Present>(db, CATALOGUE[dialect], [])).map((one) => [one.name, one.definition]))
    for (const { name, statements } of made)
      await runText(db, save, [name, code.version, hashOf(statements), hashOf(definitions.get(name))])
  }
  if (highest < code.version) await runText(db, 'update installed_code set version = $1', [code.version])
  return [...made, ...removed].map(({ name }) => name)
}

/**
 * The same while servers use the database: one table per transaction, so that only one table is locked at a time. If it is interrupted, the next
 * start continues.
 */
export const installCode = async (database: Database, code = CODE): Promise<string[]> => {
  const { newer, missing, different, leftover, wanted, present, highest } = await examine(database.read, code)
  if (newer !== null) return []
  const wrong = new Set([...missing, ...different, ...leftover])
  const tables = new Set([...wanted, ...present].filter(({ name }) => wrong.has(name)).map(({ table }) => table))
  const names: string[] = []
  for (const table of tables) names.push(...(await database.write((db) => installWithin(db, code, table))))
  // Changes made without the triggers invalidated nothing, so all caches are invalidated.
  if (names.length > 0 && database.dialect === 'postgres') await database.write(invalidateEverything)
  // The definitions are unchanged, but this version now owns them.
  if (tables.size === 0 && highest < code.version) await database.write((db) => installWithin(db, code))
  return names
}
