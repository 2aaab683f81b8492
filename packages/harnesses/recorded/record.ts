import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { recordAll } from '#test/api-examples/index.ts'
import { createRecorder } from '#test/api-examples/recorder.ts'
import { startPostgres } from '#test/services/postgres.ts'
import { scratchFolder } from '#test/services/private-server.ts'
import { findPostgres } from '#test/services/programs.ts'
import { runCommand } from '../../server/src/cli/program.ts'
import { knownMigrations } from '../../server/src/db/index.ts'
import { leaveRows } from './leftovers.ts'
import { writeReleased } from './released.ts'

/** Small enough for a fixture below 300 KB. */
const DEMO = ['--members', '30', '--spaces', '3', '--posts', '60', '--comments', '150', '--reactions', '200', '--courses', '1']

const run = async (env: Record<string, string>, args: readonly string[]): Promise<void> => {
  let said = ''
  const note = (text: string) => {
    said += text
  }
  const code = await runCommand(args, {
    env: { LYCEUM_LOG_LEVEL: 'fatal', ...env },
    out: note,
    err: note,
    shows: false,
    passwordCost: 4,
    secret: async () => '',
  })
  if (code !== 0) throw new Error(`lyceum ${args.join(' ')} ended with ${code}: ${said}`)
}

/** Statements in a dump of a newer PostgreSQL that an older one does not support, and psql commands. */
const UNPORTABLE = /^(\\(un)?restrict .*|SET transaction_timeout = 0;)$/

const dump = (url: string): string => {
  const program = join(findPostgres() ?? '', 'pg_dump')
  // Rows of the change log contain transaction ids, which mean nothing in another cluster.
  const without = ['cache_invalidations', 'cache_invalidation_watermark'].map((table) => `--exclude-table-data=${table}`)
  const args = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=200', ...without, `--dbname=${url}`]
  const lines = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n')
  return `${lines.filter((line) => !UNPORTABLE.test(line)).join('\n')}\n`
}

/** A new community in a folder: the one of `lyceum demo`, with the story of the examples. */
const makeCommunity = async (dataDir: string): Promise<void> => {
  await run({ LYCEUM_DATA_DIR: dataDir }, ['demo', ...DEMO])
  const recorder = await createRecorder(dataDir)
  await leaveRows(recorder, await recordAll(recorder))
  await recorder.app.close()
}

/** Writes the fixtures of the current schema for both databases below `folder`; returns its migrations and triggers. */
export const recordSchema = async (folder: string): Promise<string> => {
  writeReleased()
  const target = join(folder, knownMigrations().at(-1) ?? '')
  const scratch = scratchFolder('record')
  const postgres = await startPostgres()
  try {
    const dataDir = join(scratch, 'data')
    await makeCommunity(dataDir)
    await run({ LYCEUM_DATA_DIR: dataDir }, ['move', '--to', postgres.url])
    const copy = join(scratch, 'copy.db')
    const file = new Sqlite(join(dataDir, 'lyceum.db'), { readonly: true })
    file.exec(`vacuum into '${copy}'`)
    file.close()
    mkdirSync(target, { recursive: true })
    writeFileSync(join(target, 'sqlite.db.br'), brotliCompressSync(readFileSync(copy)))
    writeFileSync(join(target, 'postgres.sql.br'), brotliCompressSync(dump(postgres.url)))
    return target
  } finally {
    await postgres.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}
