import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { MIGRATIONS } from '../migrations/index.ts'

/** A newer version has migrated the database. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase'
}

const OTHER = 'it holds the tables of another program'

/** Migrations that this version does not know: a newer version ran them. */
export const unknownMigrations = (names: readonly string[]): string[] =>
  names.filter((name) => !MIGRATIONS.some((migration) => migration.name === name))

/**
 * Checks that the tables belong to this program, and to a version that it can migrate. `names` are the migrations that ran; null: there is no
 * table of migrations.
 * @throws NewerDatabase, or an Error with the reason
 */
export const checkOwner = (tables: readonly string[], names: readonly string[] | null): void => {
  if (tables.length === 0) return
  const [first] = MIGRATIONS
  // Other programs use a table with this name too.
  if (!names || (first && !names.includes(first.name))) throw new Error(OTHER)
  const unknown = unknownMigrations(names)
  if (unknown.length === 0) return
  throw new NewerDatabase(`the database was written by a newer Lyceum (it holds ${unknown.join(', ')}); start that version`)
}

/** The same for PostgreSQL, before any table is created. Tables of extensions are ignored. */
export const checkOwnerOfSchema = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ name: string; named: boolean }>`
    select c.relname as name, exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'name') as named
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`.execute(db)
  const ours = rows.some(({ name, named }) => name === 'migrations' && named)
  const names = ours ? (await sql<{ name: string }>`select name::text as name from migrations`.execute(db)).rows : null
  try {
    checkOwner(
      rows.map(({ name }) => name),
      names?.map(({ name }) => name) ?? null,
    )
  } catch (error) {
    throw error instanceof NewerDatabase ? error : new Error(`the database cannot be used: ${(error as Error).message}`)
  }
}
