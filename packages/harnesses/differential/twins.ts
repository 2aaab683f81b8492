import { createRandom } from '#test/random.ts'
import type { Database } from '../../server/src/db/index.ts'
import { OutboundError } from '../../server/src/outbound/index.ts'
import { type Community, createCommunity } from '../fuzz/community.ts'
import type { Operation } from '../fuzz/document.ts'
import type { FuzzRequest } from '../fuzz/requests.ts'
import { createSender, type FuzzAnswer, type Sender } from '../fuzz/send.ts'
import type { Chance } from './chance.ts'
import { alignIds } from './ids.ts'
import { runInOrder } from './jobs.ts'

export interface Pair<T> {
  readonly sqlite: T
  readonly postgres: T
}

/** Two servers with the same initial data and a shared clock, one on each database. */
export interface Twins {
  readonly communities: Pair<Community>
  /** Sends the request to both servers, one after the other. */
  send(request: FuzzRequest): Promise<Pair<FuzzAnswer>>
  learn(operation: Operation, body: unknown): void
  /** Advances the clock, runs the jobs, and repairs the accounts. */
  rest(seconds: number): Promise<void>
  complaints(): string[]
  close(): Promise<void>
}

const START = Date.parse('2026-03-10T12:00:00Z')
const nowhere = { request: () => Promise.reject(new OutboundError('unreachable', 'No way leads there.')), close: async () => {} }
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

export const createTwins = async (envs: Pair<Readonly<Record<string, string>>>, seed: number, chance: Chance): Promise<Twins> => {
  let time = START
  const clock = { now: () => new Date(time) }
  const common = { LYCEUM_URL: 'https://community.example', LYCEUM_SECRET: 'the same for both of them, as it has to be' }
  const open = async (env: Readonly<Record<string, string>>) => {
    chance.begin(seed)
    const options = { clock, outbound: nowhere, providers: nowhere, maxDeliveries: 1 }
    const community = await createCommunity({ ...env, ...common }, createRandom(seed), options)
    const { worker, digests, presence, rollups, maintenance, services } = community.app
    // Concurrent jobs and deliveries would finish in random order, and the ids they assign would differ.
    Object.assign(services.database, { concurrentWrites: 1 })
    // Background work would not run at the same moment on both.
    await Promise.all([worker.stop(), digests.stop(), presence.stop(), rollups.stop(), maintenance.stop()])
    return community
  }
  const communities = { sqlite: await open(envs.sqlite), postgres: await open(envs.postgres) }
  const senders: Pair<Sender> = {
    sqlite: createSender(communities.sqlite, Number.MAX_SAFE_INTEGER),
    postgres: createSender(communities.postgres, Number.MAX_SAFE_INTEGER),
  }
  const databaseOf = ({ app }: Community): Database => app.services.database
  const align = () => alignIds(databaseOf(communities.sqlite), databaseOf(communities.postgres))
  let turn = seed

  /** Runs the same work on both sides with the same random values. */
  const onBoth = async <T>(work: (side: 'sqlite' | 'postgres') => Promise<T>): Promise<Pair<T>> => {
    turn += 1
    chance.begin(turn)
    const sqlite = await work('sqlite')
    chance.begin(turn)
    return { sqlite, postgres: await work('postgres') }
  }

  return {
    communities,
    send: async (request) => {
      const answers = await onBoth((side) => senders[side].send(request))
      if (!READS.has(request.method)) await align()
      return answers
    },
    learn: (operation, body) => {
      communities.sqlite.learn(operation, body)
      communities.postgres.learn(operation, body)
    },
    rest: async (seconds) => {
      time += seconds * 1000
      await onBoth((side) => runInOrder(communities[side].app))
      await align()
      await onBoth((side) => communities[side].heal())
      await align()
    },
    // Comparing every row occupies the event loop, which both servers share with this harness.
    complaints: () =>
      [communities.sqlite, communities.postgres]
        .flatMap((one) => one.complaints())
        .filter((text) => !text.includes('"event_loop_blocked"')),
    close: async () => {
      senders.sqlite.close()
      senders.postgres.close()
      await communities.sqlite.close()
      await communities.postgres.close()
    },
  }
}
