import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { type Env, freshEnv } from '../command.ts'

const SCHEMAS = import.meta.dirname

/** The recorded versions by the name of their last migration, oldest first. */
export const RECORDED: readonly string[] = readdirSync(SCHEMAS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()

export const LATEST_RECORDED = RECORDED.at(-1) ?? ''

const read = (version: string, file: string) => brotliDecompressSync(readFileSync(join(SCHEMAS, version, file)))

const loadSql = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** An environment with the data of that version, on this run's database. */
export const recordedEnv = async (version = LATEST_RECORDED): Promise<Env> => {
  const env = { ...(await freshEnv()), LYCEUM_SECRET: 'a secret that is known to everybody who reads this' }
  const { dataDir, databaseUrl } = readConfig(env)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (databaseUrl) await loadSql(databaseUrl, read(version, 'postgres.sql.br').toString())
  else writeFileSync(join(dataDir, 'lyceum.db'), read(version, 'sqlite.db.br'), { mode: 0o600 })
  return env
}
