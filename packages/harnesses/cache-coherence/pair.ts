import pino from 'pino'
import { createRandom } from '#test/random.ts'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { type Community, createCommunity } from '../fuzz/community.ts'
import type { FuzzRequest } from '../fuzz/requests.ts'
import { createSender, type FuzzAnswer } from '../fuzz/send.ts'

const START = Date.parse('2026-03-10T12:00:00Z')
const COMMON = {
  LYCEUM_URL: 'https://community.example',
  LYCEUM_SECRET: 'the same for both of them, as it has to be',
  LYCEUM_RATE_LIMIT: 'off',
}

/** Two servers on one database in this process: one with caches, the other without. */
export interface CachingPair {
  readonly community: Community
  cached(request: FuzzRequest): Promise<FuzzAnswer>
  uncached(request: FuzzRequest): Promise<FuzzAnswer>
  /** Advances the clock, runs the jobs, and repairs accounts broken by the requests. */
  rest(seconds: number): Promise<void>
  /** Number of cache hits. */
  hits(): number
  close(): Promise<void>
}

export const createPair = async (env: Readonly<Record<string, string>>, seed: number): Promise<CachingPair> => {
  let time = START
  const clock = { now: () => new Date(time) }
  const settings = { ...env, ...COMMON }
  const community = await createCommunity(settings, createRandom(seed), { clock })
  const { worker, digests, presence, rollups, maintenance, services } = community.app
  await Promise.all([worker.stop(), digests.stop(), presence.stop(), rollups.stop(), maintenance.stop()])
  // It does not listen for invalidations, so it caches nothing.
  const second = await createApp({
    config: readConfig({ LYCEUM_PORT: '0', ...settings }),
    log: pino({ level: 'silent' }),
    database: services.database,
    passwordCost: 4,
    clock,
  })
  const senders = [
    createSender(community, Number.MAX_SAFE_INTEGER),
    createSender({ ...community, app: second }, Number.MAX_SAFE_INTEGER),
  ] as const
  return {
    community,
    cached: senders[0].send,
    uncached: senders[1].send,
    rest: async (seconds) => {
      time += seconds * 1000
      await worker.runPending()
      await community.heal()
    },
    hits: () => services.caches.stats().caches.reduce((sum, { hits }) => sum + hits, 0),
    close: async () => {
      for (const sender of senders) sender.close()
      await second.http.close()
      await community.close()
    },
  }
}
