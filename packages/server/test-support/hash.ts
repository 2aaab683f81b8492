import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { type Database, listTables, openDatabase, readRows, readSequences } from '../src/db/index.ts'
import type { Env } from './command.ts'

export const withDatabase = async <T>(env: Env, work: (database: Database) => Promise<T>): Promise<T> => {
  const { databaseUrl: url, dataDir } = readConfig(env)
  const database = openDatabase({ url, dataDir, poolSize: 2 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** SHA-256 of each table's rows in key order, and of the id sequences; equal for equal data on both databases. */
export const hashesOf = (env: Env): Promise<ReadonlyMap<string, string>> =>
  withDatabase(env, async ({ read }) => {
    const hashes = new Map<string, string>()
    for (const table of (await listTables(read)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const sum = createHash('sha256').update(table.columns.join())
      for await (const page of readRows(read, table)) for (const row of page) sum.update(`${JSON.stringify(row)}\n`)
      hashes.set(table.name, sum.digest('hex'))
    }
    const given = Object.entries(await readSequences(read)).sort()
    return hashes.set('(ids given out)', createHash('sha256').update(JSON.stringify(given)).digest('hex'))
  })

/** Names with different hashes. */
export const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name)).sort()

/** The same for the media files of a data directory, by name. */
export const mediaOf = (env: Env): ReadonlyMap<string, string> => {
  const folder = join(readConfig(env).dataDir, 'media')
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const files = names.filter((name) => !name.startsWith('.') && !name.endsWith('.tmp') && statSync(join(folder, name)).isFile())
  return new Map(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}
