import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Way } from '#test/detour.ts'
import type { Stage } from './stage.ts'

/** A failure of PostgreSQL or its network, for all instances. */
export interface Fault {
  readonly name: string
  /** What fails meanwhile: everything, writes, or nothing noticeable. */
  readonly takes: 'everything' | 'writes' | 'nothing'
  /** Duration in ms. */
  readonly lasts: number
  /** How long afterwards a write may still be blocked by broken connections, in ms. */
  readonly settles: number
  begin(): Promise<unknown>
  end(): Promise<unknown>
}

/** How long a smart shutdown waits for clients before the next signal. */
const SMART_MS = 300

const isChildOf = (pid: string, parent: number) => {
  try {
    return new RegExp(`^PPid:\\s+${parent}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const isThere = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Ends the postmaster with the given signals in turn; resolves once all its processes are gone. */
const halt = async ({ cluster }: Stage, signals: readonly NodeJS.Signals[]): Promise<void> => {
  const folder = new URL(cluster?.url ?? '').searchParams.get('host') ?? ''
  const main = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChildOf(name, main))
  for (const [i, signal] of signals.entries()) {
    if (i > 0) await pause(SMART_MS)
    process.kill(main, signal)
  }
  while ([main, ...children.map(Number)].some(isThere)) await pause(10)
}

const RESTARTS: readonly (readonly [name: string, signals: readonly NodeJS.Signals[]])[] = [
  ['restarted immediately', ['SIGQUIT']],
  ['restarted fast', ['SIGINT']],
  ['restarted smartly, then fast', ['SIGTERM', 'SIGINT']],
  ['killed', ['SIGKILL']],
]

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'community'`
const RELOAD = 'select pg_reload_conf()'

export const postgresFaults = (stage: Stage) => {
  const { sql, servers, cluster } = stage
  const setWays = async (way: Way) => servers.forEach(({ database }) => void database.forEach((proxy) => void proxy.set(way)))
  const nothing = async () => {}
  return {
    /** The n-th restart. */
    restart: (n: number, lasts: number): Fault => {
      const [name, signals] = RESTARTS[n % RESTARTS.length] as (typeof RESTARTS)[number]
      const start = async () => await cluster?.start()
      return { name, takes: 'everything', lasts, settles: 0, begin: () => halt(stage, signals), end: start }
    },
    terminate: (): Fault => ({
      name: 'all connections ended',
      takes: 'nothing',
      lasts: 0,
      settles: 0,
      begin: () => sql(TERMINATE),
      end: nothing,
    }),
    noConnections: (lasts: number): Fault => ({
      name: 'no connections left',
      takes: 'everything',
      lasts,
      settles: 0,
      begin: () => sql('alter role community connection limit 0', TERMINATE),
      end: () => sql('alter role community connection limit -1'),
    }),
    readOnly: (lasts: number): Fault => ({
      name: 'read-only',
      takes: 'writes',
      lasts,
      settles: 0,
      begin: () => sql('alter system set default_transaction_read_only = on', RELOAD),
      end: () => sql('alter system reset default_transaction_read_only', RELOAD),
    }),
    /** Network cut; data arrives later. */
    held: (lasts: number): Fault => ({
      name: 'cut off for a while',
      takes: 'everything',
      lasts,
      settles: 0,
      begin: () => setWays('held'),
      end: () => setWays('open'),
    }),
    /** Network cut; data of that time is lost. */
    lost: (lasts: number): Fault => ({
      name: 'cut off, connections lost',
      takes: 'everything',
      lasts,
      settles: 10_000,
      begin: () => setWays('lost'),
      end: () => setWays('open'),
    }),
    /** Network delay in each direction. */
    slow: (lasts: number, ms: number): Fault => {
      const setDelay = async (delay: number) => servers.forEach(({ database }) => void database.forEach((proxy) => void proxy.delay(delay)))
      return { name: 'far away', takes: 'nothing', lasts, settles: 0, begin: () => setDelay(ms), end: () => setDelay(0) }
    },
  }
}
