import { sql } from 'kysely'
import type { Database, Db } from './database.ts'
import { DDL } from './migrations/dialect.ts'
import { MIGRATIONS } from './migrations/index.ts'

const applied = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(row => row.name)
}

/**
 * Brings the tables up to this version's shape; forward only, all in one transaction.
 * @returns the names of the migrations that ran now
 * @throws when the database was written by a newer Lyceum
 */
export const migrate = (database: Database, now: string): Promise<string[]> =>
  database.write(async db => {
    if (database.dialect === 'postgres') await sql`select pg_advisory_xact_lock(4839201)`.execute(db)
    await sql`create table if not exists migrations (name text primary key, applied_at text not null)`.execute(db)
    const done = new Set(await applied(db))
    const known = new Set(MIGRATIONS.map(migration => migration.name))
    const foreign = [...done].filter(name => !known.has(name))
    if (foreign.length > 0) throw new Error(`the database was written by a newer Lyceum (it holds ${foreign.join(', ')}); start that version`)

    const ran: string[] = []
    for (const { name, up } of MIGRATIONS) {
      if (done.has(name)) continue
      for (const statement of up(DDL[database.dialect])) await sql.raw(statement).execute(db)
      await sql`insert into migrations (name, applied_at) values (${name}, ${now})`.execute(db)
      ran.push(name)
    }
    return ran
  })

/** What `migrate` would do, without doing it. */
export const pending = async (database: Database): Promise<string[]> => {
  let done: string[] = []
  try {
    done = await applied(database.read)
  } catch {
    // no migrations table yet: an empty database
  }
  return MIGRATIONS.map(migration => migration.name).filter(name => !done.includes(name))
}
