import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Env, freshEnv, lyceumJson, readyEnv } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { createDatabase } from '#test/services/database.ts'
import { startPostgres } from '#test/services/postgres.ts'
import { connect } from '../kit/connection.ts'
import { makePeople, type Person } from '../kit/people.ts'
import { startVictim, type Victim } from '../kit/server-process.ts'
import { type Generator, startGenerator } from './load-from.ts'
import type { Crowd } from './mix.ts'

export const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'

export interface Stage {
  readonly env: Env
  readonly dataDir: string
  readonly server: Victim
  readonly port: number
  readonly crowd: Crowd
  readonly generator: Generator
  /** Stops everything that is still running. */
  strike(): Promise<void>
}

/** Primes, so that the request kinds, which repeat every hundred requests, cover all people and feeds. */
const PEOPLE = 97
const FEEDS = 199
const FILLING = 16

/**
 * The storage of a server. A long run writes more than should be kept in memory, and PostgreSQL has to vacuum as in production, so it gets
 * its own directory and cluster.
 */
const groundOf = async (): Promise<{ env: Env; clear: () => Promise<void> }> => {
  if (SOAK === 1) return { env: await readyEnv(), clear: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-load-'))
  const { LYCEUM_DATA_DIR: _none, ...quiet } = await freshEnv('sqlite')
  const env = { ...quiet, LYCEUM_DATA_DIR: join(folder, 'data') }
  const cluster = onSqlite ? null : await startPostgres(undefined, { autovacuum: 'on' })
  return {
    env: cluster ? { ...env, LYCEUM_DATABASE_URL: await createDatabase(cluster.url) } : env,
    clear: async () => {
      await cluster?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const fill = async (base: string, people: readonly Person[], most: number): Promise<number[]> => {
  const feeds: number[] = []
  let n = 0
  await Promise.all(
    people.slice(0, FILLING).map(async ({ authorization }) => {
      const { send, close } = connect(base, authorization)
      while (n < most) {
        n += 1
        const answer = await send('POST', '/feeds', {
          title: `Open letter ${n}`,
          message: 'Please write what you would like to hear about next month.',
        })
        if (answer?.status !== 201) throw new Error(`a feed is answered with ${answer?.status} ${answer?.body?.code}`)
        feeds.push(answer.body.data.id)
      }
      close()
    }),
  )
  return feeds
}

/** Timeouts of the server for slow clients in ms. */
export interface ClientTimeouts {
  readonly head: number
  readonly request: number
  readonly silence: number
}

const SHORT_TIMEOUTS_SERVER = fileURLToPath(new URL('./short-timeouts-server.ts', import.meta.url))

/**
 * A small community, a server as in production, and a load generator. `further`: environment variables of the server; with `clientTimeouts` the
 * server is started by a different program than the command line. `feeds`: how many there are.
 */
export const setStage = async ({
  clientTimeouts,
  further = {},
  feeds: most = FEEDS,
}: {
  clientTimeouts?: ClientTimeouts
  further?: Env
  feeds?: number
} = {}): Promise<Stage> => {
  const { env: ground, clear } = await groundOf()
  const env: Env = { ...ground, LYCEUM_RATE_LIMIT: 'off' }
  const people = await makePeople(env, PEOPLE)
  if (SOAK > 1) await lyceumJson(env, 'demo')
  const server = clientTimeouts
    ? await startVictim(
        { ...env, ...further, LYCEUM_TEST_CLIENT_TIMEOUTS: JSON.stringify(clientTimeouts) },
        { program: SHORT_TIMEOUTS_SERVER },
      )
    : await startVictim({ ...env, ...further })
  const { origin, port, pathname: root } = new URL(server.base)
  const feeds = await fill(server.base, people, most)
  const names = people.map((_, i) => `writer${i + 1}`)
  const crowd: Crowd = { origin, root, people: people.map(({ authorization }) => authorization), names, feeds }
  const generator = await startGenerator(crowd)
  return {
    env,
    dataDir: env['LYCEUM_DATA_DIR'] ?? '',
    server,
    port: Number(port),
    crowd,
    generator,
    strike: async () => {
      await generator.stop()
      if (server.running) await server.end('SIGKILL')
      await clear()
    },
  }
}
