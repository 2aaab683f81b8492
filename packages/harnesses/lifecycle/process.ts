import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Env, processEnv } from '#test/command.ts'
import { readConfig } from '../../server/src/config.ts'
import { isServed } from '../../server/src/db/index.ts'

const PROGRAM = fileURLToPath(new URL('../../server/bin/lyceum.mjs', import.meta.url))

export interface Spawned {
  readonly child: ChildProcess
  /** Its output on stdout and stderr so far. */
  output(): string
  /** Exit code and signal, one of which is null. */
  readonly ended: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>
}

const running = new Set<ChildProcess>()

/** Kills processes that a failed test left running. */
export const endAll = (): void => {
  for (const child of running) child.kill('SIGKILL')
}

/** Starts a command in its own process without waiting for it; `program` replaces the command line. */
export const spawnLyceum = (env: Env, command: string | readonly string[], program = PROGRAM): Spawned => {
  const child = spawn(process.execPath, [program, ...[command].flat()], {
    env: processEnv({ LYCEUM_PORT: '0', LYCEUM_LOG_LEVEL: 'error', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      said += chunk
    })
  const ended = once(child, 'close').then(([code, signal]) => [code, signal] as const)
  return { child, output: () => said, ended }
}

export interface Serving {
  readonly base: string
  readonly pid: number
  output(): string
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code, or null after an unhandled signal. */
  readonly ended: Promise<number | null>
}

/** Resolves once it listens; rejects with its output if it exits instead. */
export const serving = ({ child, output, ended: end }: Spawned): Promise<Serving> =>
  new Promise((resolve, reject) => {
    const ended = end.then(([code]) => code)
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${output()}`)))
    child.stdout?.on('data', () => {
      const base = /^Lyceum is listening on (\S+)$/m.exec(output())?.[1]
      if (base) resolve({ base, pid: child.pid ?? 0, output, signal: (name) => void child.kill(name), ended })
    })
  })

export const startServing = (env: Env): Promise<Serving> => serving(spawnLyceum(env, 'serve'))

/** Other connections to a PostgreSQL database. */
const connectionsTo = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and backend_type = 'client backend'`,
    )
    return rows[0]?.n ?? 0
  } finally {
    await client.end()
  }
}

/** What a server left behind after it exited; empty after a clean exit. */
export const leftoversOf = async (env: Env): Promise<string[]> => {
  const { databaseUrl: url, dataDir } = readConfig(env)
  const left: string[] = []
  if (await isServed({ url, dataDir })) left.push('the data are held')
  if (url) {
    const open = await connectionsTo(url)
    if (open > 0) left.push(`${open} connections are open`)
    return left
  }
  const log = join(dataDir, 'lyceum.db-wal')
  if (existsSync(log) && statSync(log).size > 0) left.push(`the log holds ${statSync(log).size} bytes`)
  return left
}
