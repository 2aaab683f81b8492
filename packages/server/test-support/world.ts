import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ManagerRole } from '@lyceum/contract'
import { type Client, createClient, LyceumError } from '@lyceum/sdk'
import { expect, inject } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { type Clock, nowOf } from '../src/core/clock.ts'
import { migrate } from '../src/db/index.ts'
import type { ClientTimeouts } from '../src/http/node-server.ts'
import { createAccount, createApplicationPassword, setRole } from '../src/modules/accounts/index.ts'
import { updatePeriods } from '../src/modules/leaderboard/index.ts'
import type { Log } from '../src/observability/log.ts'
import type { Outbound } from '../src/outbound/index.ts'
import { failureLog } from './failures.ts'
import { createDatabase, dropDatabase } from './services/database.ts'

/** A clock that only a test advances. */
export interface TestClock extends Clock {
  advance(seconds: number): void
}

const testClock = (start: string): TestClock => {
  let time = new Date(start).getTime()
  return {
    now: () => new Date(time),
    advance: (seconds) => {
      time += seconds * 1000
    },
  }
}

/** An account with its typed client: `await ana.api.feeds.create({ message: 'Hello' })`. */
export interface Member {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly password: string
  readonly api: Client
  /** A request without the SDK, for invalid input: `ana.raw('POST', '/feeds', { nonsense: 1 })`. */
  raw(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the test inspects arbitrary responses
  readonly body: any
}

export interface World {
  readonly app: App
  readonly base: string
  readonly origin: string
  readonly clock: TestClock
  readonly dialect: 'sqlite' | 'postgres'
  /** Creates a new account. */
  member(options?: { username?: string; role?: ManagerRole; displayName?: string }): Promise<Member>
  readonly anonymous: Client
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>
  /** Runs all due jobs. */
  runPendingJobs(): Promise<void>
  close(): Promise<void>
}

/** A fresh migrated database of this run; empty for SQLite. */
export const databaseUrl = async () => {
  if (process.env['LYCEUM_TEST_DATABASE'] !== 'postgres') return ''
  const cluster = inject('postgresUrl')
  if (!cluster) throw new Error('the postgres project runs without a cluster')
  return createDatabase(cluster, inject('template'))
}

/** The environment for a fresh database of this run, through the pooler if the run is about it. */
export const databaseEnv = async (): Promise<Record<string, string>> => {
  const direct = await databaseUrl()
  const pooler = inject('poolerUrl')
  if (!pooler) return { LYCEUM_DATABASE_URL: direct }
  const url = new URL(pooler)
  url.pathname = new URL(direct).pathname
  return { LYCEUM_DATABASE_URL: url.toString(), LYCEUM_DATABASE_POOLER: 'transaction', LYCEUM_DATABASE_DIRECT_URL: direct }
}

/** A migrated database for one world, and a function that removes it. */
const makeDatabase = async (dataDir: string): Promise<{ env: Record<string, string>; drop: () => void }> => {
  const env = await databaseEnv()
  const { LYCEUM_DATABASE_URL: url, LYCEUM_DATABASE_DIRECT_URL: direct = url } = env
  const cluster = inject('postgresUrl')
  if (direct && cluster) return { env, drop: () => dropDatabase(direct) }
  copyFileSync(inject('template'), join(dataDir, 'lyceum.db'))
  return { env, drop: () => {} }
}

/** The beginning of an endless stream. */
const beginningOf = async ({ body }: Response): Promise<string> => {
  const reader = body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return value ? Buffer.from(value).toString() : ''
}

/** Starts the real app on a fresh database and a real port. Responses are validated against the contract. */
export const createWorld = async ({
  env = {},
  start = '2026-03-10T12:00:00Z',
  passwordCost = 4,
  clientTimeouts,
  outbound,
  log,
  manyConnections = false,
}: {
  env?: Record<string, string>
  start?: string
  /** log2 of the password hashing cost; minimal by default. */
  passwordCost?: number
  /** Timeouts for clients; for tests about them. */
  clientTimeouts?: ClientTimeouts
  /** Stub of the internet; for tests about outbound requests. */
  outbound?: Outbound
  /** The log; for tests that read it. */
  log?: Log
  /** As many connections to PostgreSQL as by default; for tests of races. Others need few, and each has to prepare its statements. */
  manyConnections?: boolean
} = {}): Promise<World> => {
  const dataDir = mkdtempSync(join(inject('scratch'), 'world-'))
  const clock = testClock(start)
  const database = await makeDatabase(dataDir)
  const config: Config = readConfig({
    LYCEUM_PORT: '0',
    LYCEUM_DATA_DIR: dataDir,
    ...database.env,
    LYCEUM_LOG_LEVEL: 'fatal',
    LYCEUM_RATE_LIMIT: 'off',
    ...(!manyConnections && { LYCEUM_DATABASE_POOL: '4' }),
    ...env,
  })
  const app = await createApp({
    config,
    clock,
    checkAnswers: true,
    passwordCost,
    clientTimeouts,
    ...(outbound && { outbound }),
    ...(log ? { log } : env['LYCEUM_LOG_LEVEL'] === undefined && { log: failureLog() }),
  })
  if (env['LYCEUM_DATABASE_URL']) await migrate(app.services.database, nowOf(clock))
  const base = await app.listen()
  // Background work would run behind the test's back: `runPendingJobs()` runs jobs on demand. The same applies to digests, metrics and last-seen
  // times.
  await app.worker.stop()
  await app.digests.stop()
  await app.presence.stop()
  await app.rollups.stop()
  await updatePeriods(app.services)

  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<RawAnswer> => {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(path.startsWith('//') ? new URL(base).origin + path.slice(1) : base + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
      redirect: 'manual',
    })
    const type = response.headers.get('content-type') ?? ''
    const text = type === 'text/event-stream' ? await beginningOf(response) : await response.text()
    const json = /json/.test(type)
    return { status: response.status, headers: response.headers, text, body: json && text ? JSON.parse(text) : undefined }
  }

  let made = 0
  const member: World['member'] = async ({ username, role, displayName } = {}) => {
    made += 1
    const name = username ?? `member${made}`
    const email = `${name}@example.org`
    const { id, password } = await app.write(null, async (ctx) => {
      const userId = await createAccount(ctx, { username: name, email, passwordHash: null, displayName: displayName ?? `Member ${made}` })
      if (role) await setRole(ctx, userId, role, null)
      return { id: userId, password: (await createApplicationPassword(ctx, userId, 'tests')).password }
    })
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
    return {
      id,
      username: name,
      email,
      password,
      api: createClient({ baseUrl: base, username: name, password }),
      raw: (method, path, body, headers = {}) => send(method, path, body, { authorization, ...headers }),
    }
  }

  return {
    app,
    base,
    origin: new URL(base).origin,
    clock,
    dialect: app.services.database.dialect,
    member,
    anonymous: createClient({ baseUrl: base }),
    request: (method, path, body, headers = {}) => send(method, path, body, headers),
    runPendingJobs: () => app.worker.runPending(),
    close: async () => {
      await app.close()
      database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** `await refused(ana.api.feeds.byId({ feed_id: 9 }), 404, 'feed_not_found')`; returns the error. */
export const refused = async (call: Promise<unknown>, status: number, code: string): Promise<LyceumError> => {
  const error = await call.then(
    (value) => {
      throw new Error(`expected ${status} ${code}, but it was answered: ${JSON.stringify(value)}`)
    },
    (reason: unknown) => reason,
  )
  if (!(error instanceof LyceumError)) throw error
  expect({ status: error.status, code: error.code }).toEqual({ status, code })
  return error
}
