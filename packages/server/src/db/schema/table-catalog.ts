import { type Db, dialectOf } from '../database.ts'
import { runText } from '../sql/statement.ts'

/** A table with data of the community. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns of the primary key, in order. */
  readonly key: readonly string[]
  /** Other tables that it references. */
  readonly references: readonly string[]
}

interface ColumnRow {
  readonly table_name: string
  readonly column_name: string
  /** Position in the primary key from 1, or 0. */
  readonly key_place: number
}

interface ReferenceRow {
  readonly table_name: string
  readonly target: string
}

// Full-text tables are omitted, since they can be rebuilt; on SQLite they are virtual tables. Transaction ids are omitted, since they mean
// nothing in another cluster: restored rows get that of the restore.
const COLUMNS = {
  sqlite: `select t.name as table_name, c.name as column_name, c.pk as key_place
    from pragma_table_list t join pragma_table_info(t.name) c
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\' order by t.name, c.cid`,
  postgres: `select c.relname::text as table_name, a.attname::text as column_name,
      coalesce(array_position(i.indkey::int2[], a.attnum), -1) + 1 as key_place
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid <> 'xid8'::regtype
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and not exists (select 1 from pg_attribute v where v.attrelid = c.oid and v.atttypid = 'tsvector'::regtype)
    order by c.relname, a.attnum`,
} as const

const REFERENCES = {
  sqlite: `select t.name as table_name, f."table" as target from pragma_table_list t join pragma_foreign_key_list(t.name) f
    where t.schema = 'main' and t.type = 'table'`,
  postgres: `select c.conrelid::regclass::text as table_name, c.confrelid::regclass::text as target from pg_constraint c
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`,
} as const

/** Referenced tables first, otherwise by name. */
const inOrder = (tables: readonly Table[]): Table[] => {
  const placed = new Map<string, Table>()
  const left = new Set(tables)
  while (left.size > 0) {
    const next = [...left].filter(({ references }) => references.every((name) => placed.has(name)))
    if (next.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left].map((table) => table.name).join(', ')}`)
    for (const table of next) {
      placed.set(table.name, table)
      left.delete(table)
    }
  }
  return [...placed.values()]
}

/** Tables that describe this database only, with their former names: they are not part of a backup or a move. */
const UNPORTABLE: ReadonlySet<string> = new Set([
  'migrations',
  'installed_code',
  'feed_index_changelog',
  'cache_invalidations',
  'cache_invalidation_watermark',
  'feed_changes',
  'change_log',
  'change_log_floor',
  'backups',
])

/** Whether a table is part of backups and moves. */
export const isPortable = (table: string): boolean => !UNPORTABLE.has(table)

/** All portable tables, each after the tables that it references. */
export const listTables = async (db: Db): Promise<Table[]> => {
  const dialect = dialectOf(db)
  const columns = await runText<ColumnRow>(db, COLUMNS[dialect], [])
  const references = await runText<ReferenceRow>(db, REFERENCES[dialect], [])
  const tables = [...Map.groupBy(columns, (row) => row.table_name)].filter(([name]) => isPortable(name))
  return inOrder(
    tables.map(([name, rows]) => ({
      name,
      columns: rows.map((row) => row.column_name),
      key: rows
        .filter((row) => row.key_place > 0)
        .sort((a, b) => a.key_place - b.key_place)
        .map((row) => row.column_name),
      references: [...new Set(references.filter((row) => row.table_name === name && row.target !== name).map((row) => row.target))],
    })),
  )
}
