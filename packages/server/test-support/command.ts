import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { runCommand } from '../src/cli/program.ts'
import type { Terminal } from '../src/cli/terminal.ts'
import { createDatabase } from './services/database.ts'
import { databaseUrl, type World } from './world.ts'

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export type Env = Record<string, string>

/** Runs a command line in this process. `secret` is its standard input. */
export const lyceum = async (env: Env, args: readonly string[], secret = '', further: Partial<Terminal> = {}): Promise<Outcome> => {
  let out = ''
  let err = ''
  const code = await runCommand(args, {
    env,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    shows: false,
    passwordCost: 4,
    secret: async () => secret,
    ...further,
  })
  return { code, out, err }
}

/** The same with `--json`; throws unless it succeeds. */
export const lyceumJson = async <T>(env: Env, ...args: string[]): Promise<T> => {
  const { code, out, err } = await lyceum(env, [...args, '--json'])
  if (code !== 0) throw new Error(`lyceum ${args.join(' ')} ended with ${code}: ${err || out}`)
  return JSON.parse(out) as T
}

const PROGRAM = fileURLToPath(new URL('../bin/lyceum.mjs', import.meta.url))

/** Environment of a child process. All of them share a compile cache, which halves their startup time; servers need no build. */
export const processEnv = (env: Env): Env => ({
  PATH: process.env['PATH'] ?? '',
  LYCEUM_TEST_SOURCES: '1',
  LYCEUM_TEST_PROGRAM: inject('program') ?? '',
  NODE_COMPILE_CACHE: join(inject('scratch'), 'compiled'),
  ...env,
})

/** Runs a command in a child process, like a user. */
export const lyceumProcess = (env: Env, args: readonly string[], stdin = '', cwd?: string): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: processEnv(env), stdio: ['pipe', 'pipe', 'pipe'], cwd })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out, err }))
    child.stdin.end(stdin)
  })

export interface Running {
  /** The printed base URL. */
  readonly base: string
  /** Resolves with the exit code, or null if a signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Starts a server in a child process; resolves once it is listening. */
export const startServer = (env: Env): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, 'serve'], {
      env: processEnv({ LYCEUM_PORT: '0', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    const ended = new Promise<number | null>((done) => child.once('close', done))
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${err}`)))
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.stdout.on('data', (chunk) => {
      out += chunk
      const base = /^Lyceum is listening on (\S+)$/m.exec(out)?.[1]
      if (!base) return
      resolve({
        base,
        end: (signal) => {
          child.kill(signal)
          return ended
        },
      })
    })
  })

const QUIET = { LYCEUM_LOG_LEVEL: 'fatal' }

/** An empty data directory, on this run's database or the given one. */
export const freshEnv = async (dialect = process.env['LYCEUM_TEST_DATABASE']): Promise<Env> => {
  const dataDir = mkdtempSync(join(inject('scratch'), 'command-'))
  const cluster = inject('postgresUrl')
  if (dialect === 'postgres' && !cluster) throw new Error('the postgres project runs without a cluster')
  return {
    ...QUIET,
    LYCEUM_DATA_DIR: join(dataDir, 'data'),
    ...(dialect === 'postgres' && cluster && { LYCEUM_DATABASE_URL: await createDatabase(cluster) }),
  }
}

/** The same, migrated. */
export const readyEnv = async (): Promise<Env> => {
  const env = await freshEnv('sqlite')
  if (process.env['LYCEUM_TEST_DATABASE'] === 'postgres') return { ...env, LYCEUM_DATABASE_URL: await databaseUrl() }
  const { LYCEUM_DATA_DIR: dataDir = '' } = env
  mkdirSync(dataDir, { mode: 0o700 })
  copyFileSync(inject('template'), join(dataDir, 'lyceum.db'))
  return env
}

/** Environment for running commands on the data of a world. */
export const envOf = ({ app }: World): Env => {
  const { dataDir, databaseUrl } = app.services.config
  return { ...QUIET, LYCEUM_DATA_DIR: dataDir, LYCEUM_DATABASE_URL: databaseUrl }
}
