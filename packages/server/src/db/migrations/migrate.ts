import { sql } from 'kysely'
import { codeState, installCode, installWithin, LOCK_SCHEMA } from '../code/install.ts'
import { type Database, type Db, dialectOf } from '../database.ts'
import { withoutTimeouts } from '../postgres/database.ts'
import { checkOwner, checkOwnerOfSchema } from '../schema/schema-ownership.ts'
import { DDL } from './dialect.ts'
import { MIGRATIONS } from './index.ts'

const applied = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map((row) => row.name)
}

export interface Migrated {
  /** Names of the migrations that ran. */
  readonly migrations: readonly string[]
  /** Names of the triggers that were created, replaced or removed. */
  readonly code: readonly string[]
}

/**
 * Runs the pending migrations in one transaction, and installs the triggers unless a newer version has installed its own. With `keepsTriggers`,
 * the triggers stay if no migration is pending.
 * @throws when the database was written by a newer Lyceum, or by another program
 */
export const migrate = async (database: Database, now: string, keepsTriggers = false): Promise<Migrated> => {
  const migrated = await database.write((db) => migrateWithin(db, now))
  if (migrated.migrations.length > 0 || keepsTriggers) return migrated
  return { ...migrated, code: await installCode(database) }
}

/**
 * Runs migrations inside a transaction, and installs the triggers if any ran. `only` limits it to these migrations, to load data of an older
 * version.
 */
export const migrateWithin = async (db: Db, now: string, only?: readonly string[]): Promise<Migrated> => {
  const dialect = dialectOf(db)
  if (dialect === 'postgres') {
    await withoutTimeouts(db)
    await sql.raw(LOCK_SCHEMA).execute(db)
    await checkOwnerOfSchema(db)
  }
  await sql`create table if not exists migrations (name text primary key, applied_at text not null)`.execute(db)
  const done = await applied(db)
  if (done.length > 0) checkOwner(['migrations'], done)

  const ran: string[] = []
  for (const { name, up } of MIGRATIONS) {
    if (done.includes(name) || (only && !only.includes(name))) continue
    for (const statement of up(DDL[dialect])) await sql.raw(statement).execute(db)
    await sql`insert into migrations (name, applied_at) values (${name}, ${now})`.execute(db)
    ran.push(name)
  }
  // The triggers need the tables of this version.
  const isWhole = done.length + ran.length === MIGRATIONS.length
  return { migrations: ran, code: isWhole && ran.length > 0 ? await installWithin(db) : [] }
}

/** Names of all migrations of this version, in order. */
export const knownMigrations = (): string[] => MIGRATIONS.map((migration) => migration.name)

/** The migrations that ran on this database; none if it is empty, or another program's. */
export const appliedMigrations = async (db: Db): Promise<string[]> => {
  try {
    return await applied(db)
  } catch (error) {
    if (lacksMigrations(error)) return []
    throw error
  }
}

const UNDEFINED_TABLE = '42P01'
const UNDEFINED_COLUMN = '42703'

/** There is no table of migrations, or it is the table of another program. SQLite checks the owner when it opens the file. */
const lacksMigrations = (error: unknown) => {
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN || /no such table: migrations/.test(error instanceof Error ? error.message : '')
  )
}

/** What `migrate` would do. */
export const pending = async (database: Database): Promise<Migrated> => {
  const done = await appliedMigrations(database.read)
  const migrations = knownMigrations().filter((name) => !done.includes(name))
  const { newer, missing, different, leftover } = await codeState(database.read)
  return { migrations, code: newer === null ? [...missing, ...different, ...leftover] : [] }
}
