import { sql } from 'kysely'
import { type Database, type Db, dialectOf } from './database.ts'
import { checkOwner, checkOwnerOfSchema } from './foreign.ts'
import { DDL } from './migrations/dialect.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { withoutTimeouts } from './postgres.ts'

const applied = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map((row) => row.name)
}

/**
 * Brings the tables up to this version's shape; forward only, all in one transaction.
 * @returns the names of the migrations that ran now
 * @throws when the database was written by a newer Lyceum, or by another program
 */
export const migrate = (database: Database, now: string): Promise<string[]> => database.write((db) => migrateWithin(db, now))

/** The same inside a transaction; `only` limits it to these migrations, for data of an older version that are still to come in. */
export const migrateWithin = async (db: Db, now: string, only?: readonly string[]): Promise<string[]> => {
  const dialect = dialectOf(db)
  if (dialect === 'postgres') {
    await withoutTimeouts(db)
    await sql`select pg_advisory_xact_lock(4839201)`.execute(db)
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
  return ran
}

/** The names of all migrations of this version, in their order. */
export const knownMigrations = (): string[] => MIGRATIONS.map((migration) => migration.name)

/** The migrations that this database has seen; none when it is empty. */
export const appliedMigrations = async (db: Db): Promise<string[]> => {
  try {
    return await applied(db)
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}

const isMissingTable = (error: unknown) =>
  (error as { code?: unknown } | null)?.code === '42P01' || /no such table: migrations/.test(error instanceof Error ? error.message : '')

/** What `migrate` would do, without doing it. */
export const pending = async (database: Database): Promise<string[]> => {
  const done = await appliedMigrations(database.read)
  return knownMigrations().filter((name) => !done.includes(name))
}
