import { createHash, type Hash } from 'node:crypto'
import { containsCommunity } from '../../../server/src/cli/interrupted-restore.ts'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import {
  appliedMigrations,
  type Database,
  type Db,
  insertRows,
  listTables,
  readRows,
  readSequences,
  type Table,
  writeSequences,
} from '../../../server/src/db/index.ts'
import { importRows } from '../backup/import-rows.ts'

interface MoveOptions {
  readonly from: Database
  readonly to: Database
  readonly now: string
  readonly onRows?: (table: string, rows: number) => void
}

/** A copied table. `sha256` is the hash of its rows in key order, which both databases must share. */
interface MovedTable {
  readonly name: string
  readonly rows: number
  readonly sha256: string
}

const addRows = (hash: Hash, rows: readonly (readonly unknown[])[]) => {
  for (const row of rows) hash.update(`${JSON.stringify(row)}\n`)
}

const hashTable = async (db: Db, table: Table): Promise<string> => {
  const hash = createHash('sha256')
  for await (const page of readRows(db, table)) addRows(hash, page)
  return hash.digest('hex')
}

const copyTable = async (source: Db, target: Db, table: Table, onRows: MoveOptions['onRows']): Promise<MovedTable> => {
  const hash = createHash('sha256')
  let rows = 0
  for await (const page of readRows(source, table)) {
    addRows(hash, page)
    await insertRows(target, table.name, table.columns, page)
    rows += page.length
    onRows?.(table.name, rows)
  }
  return { name: table.name, rows, sha256: hash.digest('hex') }
}

/** @throws CommandError if rows or sequences differ */
const verify = async (target: Db, tables: readonly Table[], moved: readonly MovedTable[], sequences: Readonly<Record<string, number>>) => {
  for (const [i, table] of tables.entries())
    if ((await hashTable(target, table)) !== moved[i]?.sha256)
      throw new CommandError(`${table.name} differs after copying; nothing was moved`)
  const given = await readSequences(target)
  for (const [name, last] of Object.entries(sequences))
    if ((given[name] ?? 0) < last) throw new CommandError(`ids of ${name} would be assigned twice; nothing was moved`)
}

/** Copies a snapshot of all rows to an empty database in one transaction, and compares hashes before the commit. */
export const copyDatabase = async ({ from, to, now, onRows }: MoveOptions): Promise<MovedTable[]> => {
  const migrations = await appliedMigrations(from.read)
  if (migrations.length === 0) throw new CommandError('there is no community to move yet')
  if (await containsCommunity(to)) throw new CommandError('the target database already contains a community; use an empty one')
  return from.snapshot((source) =>
    to.write(async (target) => {
      const tables = await listTables(source)
      return importRows(target, now, migrations, async () => {
        const moved: MovedTable[] = []
        for (const table of tables) moved.push(await copyTable(source, target, table, onRows))
        const sequences = await readSequences(source)
        await writeSequences(target, sequences)
        await verify(target, tables, moved, sequences)
        return moved
      })
    }),
  )
}
