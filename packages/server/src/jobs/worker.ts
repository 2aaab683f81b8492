import { nowOf, shift } from '../core/clock.ts'
import type { Services } from '../core/context.ts'
import { type ClaimedJob, claimJobs, type Db, leaseJobs } from '../db/index.ts'
import {
  dueJobsAt,
  handToDeliveries,
  hasDueDeliveries,
  postponeJob,
  removeJob,
  rescheduleFutureJobs,
  splitJob,
  writeContext,
} from './queue.ts'
import type { Registry } from './registry.ts'
import { createWriter } from './unit-of-work.ts'

const BATCH = 64
/** Maximum number of jobs of a kind in one transaction, because other writes wait for its locks. */
const TOGETHER = 32
const POLL_MS = 1000
/** How often points are folded while jobs follow each other, and, in polls without jobs, how often those that another instance left. */
const FOLD_MS = 1000
const FOLD_POLLS = 30
const ATTEMPTS = 12
const FIRST_DELAY_S = 2
const LONGEST_DELAY_S = 6 * 3600
/** Maximum number of concurrent deliveries. They wait for other systems and hold no locks. */
const DELIVERIES = 16
/** A delivery that takes longer than this may be attempted again. */
const LEASE_S = 120
const PATIENCE_MS = 4000
/** Maximum delay of a job, except for timed ones. */
const LONGEST_WAIT_S = 24 * 3600
/** Tolerated difference between the clocks of several servers. */
const CLOCK_S = 60
const ERROR_LENGTH = 500

export interface Worker {
  /** Wakes the worker before its next poll, because a job may be due. */
  wake(): void
  start(): void
  /** Waits for running jobs, and some seconds for deliveries. */
  stop(): Promise<void>
  /** Runs everything that is due, and the jobs that this creates; for tests and commands. */
  runPending(): Promise<void>
}

/** Receives the names of added jobs, and which of several listeners is running. */
interface Told {
  readonly added: (added: 'event' | 'job') => void
  readonly at: (listener: string | undefined) => void
}

/** What is recorded about a failed job. */
interface Failure {
  readonly status: 'parked' | 'ready'
  readonly text: string
  readonly runAt: string
}

/** Seconds until the next attempt: exponential backoff, up to six hours. */
export const backoff = (attempts: number): number => Math.min(LONGEST_DELAY_S, FIRST_DELAY_S * 2 ** attempts)

/** Waits for all promises, then rejects with the error of the first that failed. */
const allEnded = async (promises: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(promises)).find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Runs jobs inside this process. Several workers, also in several processes, share the table without running a job twice. A stopping worker
 * waits `patienceMs` for deliveries; those still in progress are attempted again when their lease expires.
 */
export const createWorker = (services: Services, registry: Registry, { patienceMs = PATIENCE_MS } = {}): Worker => {
  const { database, clock, log, loop, points, realtime } = services
  const deliveries = new Set<Promise<void>>()
  const limited = [...registry.jobs.values()].flatMap(({ name, maxConcurrent }) =>
    maxConcurrent === undefined ? [] : [{ name, maxConcurrent }],
  )
  /** Deliveries in progress by limited kind. */
  const taken = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let sweep: Promise<number> | null = null
  let stopped = true
  let again = false
  /** Time of the latest round. It is checked in the first round, too, because the clock may have been set back while no server ran. */
  let latest: string | null = null
  /** Whether transactional jobs ran since points were folded, the time of that, and the polls without jobs since then. */
  let ran = false
  let foldedAt = 0
  let idlePolls = 0

  /** Records a failure and then logs it. While the database is unavailable, every job fails, for the same reason. */
  const noteFailure = async (
    { job, id: job_id, attempts }: { readonly job: string; readonly id: number; readonly attempts: number },
    error: unknown,
    note: (db: Db, failure: Failure) => Promise<unknown>,
  ) => {
    const parked = attempts >= (registry.jobs.get(job)?.attempts ?? ATTEMPTS)
    const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH)
    const runAt = shift(nowOf(clock), backoff(attempts - 1))
    await database.write((db) => note(db, { status: parked ? 'parked' : 'ready', text, runAt }), 'background')
    if (parked) log.error({ event: 'job_parked', job, job_id, attempts, err: error }, 'job parked')
    else log.warn({ event: 'job_failed', job, job_id, attempts, err: error }, 'job failed')
  }

  const fail = ({ name: job, id, attempts }: ClaimedJob, error: unknown) =>
    noteFailure({ job, id, attempts: attempts + 1 }, error, (db, { status, text, runAt }) => postponeJob(db, id, runAt, text, status))

  /** A failing listener rolls back what other listeners did in the same transaction. From now on, each runs alone. */
  const part = async (record: ClaimedJob, listenerJobs: readonly string[], name: string, error: unknown) => {
    await noteFailure({ job: name, id: record.id, attempts: 1 }, error, (db, { text, runAt }) =>
      splitJob(db, record, listenerJobs, nowOf(clock), { name, runAt, error: text }),
    )
    again = true
  }

  const write = createWriter(services, registry, { wake: () => wake() })

  const definitionOf = ({ name }: ClaimedJob) => {
    const definition = registry.jobs.get(name)
    if (!definition) throw new Error(`no job is called ${name}`)
    return definition
  }

  /** Runs jobs of one name in one transaction. `at` receives the listener that is running, if there are several. */
  const runIn = async (db: Db, records: readonly [ClaimedJob, ...ClaimedJob[]], told: Told): Promise<void> => {
    const { run, listenerJobs } = definitionOf(records[0])
    if (!run && !listenerJobs) {
      for (const { id } of records) await handToDeliveries(db, id)
      return
    }
    const taken = await claimJobs(
      db,
      records.map(({ id }) => id),
    )
    if (taken.length === 0) return
    const ctx = writeContext(services, registry, db, nowOf(clock), null, told.added)
    const given = taken.map(({ payload, event_id }) => ({ payload: JSON.parse(payload) as never, eventId: event_id }))
    await run?.(ctx, given)
    for (const name of listenerJobs ?? []) {
      told.at(name)
      await registry.jobs.get(name)?.run?.(ctx, given)
    }
    told.at(undefined)
  }

  const runTogether = async (records: readonly [ClaimedJob, ...ClaimedJob[]]): Promise<void> => {
    const [record, ...others] = records
    let events = false
    let at: string | undefined
    const told: Told = {
      added: (added) => {
        if (added === 'event') events = true
        else again = true
      },
      at: (name) => {
        at = name
      },
    }
    try {
      await loop.during(`job:${record.name}`, () => database.write((db) => runIn(db, records, told), 'background'))
      ran = true
      if (events) realtime.committed()
    } catch (error) {
      // A failing job rolls back the work of the other jobs. From now on, each runs alone.
      if (others.length > 0) {
        for (const one of records) await runTogether([one])
        return
      }
      const { listenerJobs } = registry.jobs.get(record.name) ?? {}
      if (at !== undefined && listenerJobs) await part(record, listenerJobs, at, error)
      else await fail(record, error)
    }
  }

  const deliverOne = async (record: ClaimedJob) => {
    try {
      const { deliver } = definitionOf(record)
      if (!deliver) return await runTogether([record])
      await loop.during(`job:${record.name}`, () => deliver(services, JSON.parse(record.payload) as never, write))
      // Waits for the row lock of another worker: skipping the row would send the delivery again.
      await database.write((db) => removeJob(db, record.id), 'background')
    } catch (error) {
      await fail(record, error)
    }
  }

  const runDue = async (): Promise<number> => {
    const records = await dueJobsAt(database.read, nowOf(clock), BATCH)
    const waiting = together(records)
    const lane = async () => {
      for (let part = waiting.shift(); part; part = waiting.shift()) await runTogether(part)
    }
    await allEnded(Array.from({ length: Math.min(database.concurrentWrites, waiting.length) }, lane))
    return records.length
  }

  /** Batches of jobs that run in one transaction each. */
  const together = (records: readonly ClaimedJob[]): [ClaimedJob, ...ClaimedJob[]][] =>
    [...Map.groupBy(records, ({ name }) => name)].flatMap(([name, all]) => {
      const size = registry.jobs.get(name)?.isBatched ? TOGETHER : 1
      const portions: [ClaimedJob, ...ClaimedJob[]][] = []
      for (let at = 0; at < all.length; at += size) {
        const [record, ...others] = all.slice(at, at + size)
        if (record) portions.push([record, ...others])
      }
      return portions
    })

  /** Kinds without a limit come first. */
  const leaseDue = async (db: Db, now: string, room: number): Promise<ClaimedJob[]> => {
    const until = shift(now, LEASE_S)
    const records = await leaseJobs(db, { now, until, limit: room, except: limited.map(({ name }) => name) })
    for (const { name, maxConcurrent } of limited) {
      const limit = Math.min(maxConcurrent - (taken.get(name) ?? 0), room - records.length)
      if (limit > 0) records.push(...(await leaseJobs(db, { now, until, limit, only: name })))
    }
    return records
  }

  /** Starts as many deliveries as the limits allow. */
  const beginDeliveries = async (): Promise<number> => {
    const room = DELIVERIES - deliveries.size
    if (room <= 0) return 0
    const now = nowOf(clock)
    if (!(await hasDueDeliveries(database.read, now))) return 0
    const records = await database.write((db) => leaseDue(db, now, room), 'background')
    for (const record of records) {
      const { name } = record
      taken.set(name, (taken.get(name) ?? 0) + 1)
      const delivery = deliverOne(record)
        .catch((error) =>
          log.warn({ event: 'job_result_not_recorded', job: record.name, job_id: record.id, err: error }, 'job result not recorded'),
        )
        .finally(() => {
          deliveries.delete(delivery)
          taken.set(name, (taken.get(name) ?? 1) - 1)
          wake()
        })
      deliveries.add(delivery)
    }
    return records.length
  }

  /** After a clock that was ahead has been corrected, leases and retries end within a day. */
  const heedClock = async () => {
    const now = nowOf(clock)
    if (latest !== null && now >= shift(latest, -CLOCK_S)) {
      if (now > latest) latest = now
      return
    }
    const moments = { now, lease: shift(now, LEASE_S), born: shift(now, CLOCK_S), waiting: shift(now, LONGEST_WAIT_S) }
    await database.write((db) => rescheduleFutureJobs(db, registry, moments), 'background')
    latest = now
  }

  /** Runs one round; returns the number of jobs it found. */
  const round = async (): Promise<number> => {
    await heedClock()
    return (await beginDeliveries()) + (await runDue())
  }

  /** Folds points at the end of a drain, and every second during a long one. */
  const foldPoints = async (isDrained: boolean) => {
    idlePolls = ran ? 0 : (idlePolls + 1) % FOLD_POLLS
    if (!(ran || idlePolls === 1) || !(isDrained || performance.now() - foldedAt >= FOLD_MS)) return
    ran = false
    foldedAt = performance.now()
    await points.fold()
  }

  const sweepOnce = () => {
    sweep ??= round().finally(() => {
      sweep = null
    })
    return sweep
  }

  const schedule = (delay: number) => {
    if (stopped) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(tick, delay)
    timer.unref()
  }

  const wake = () => {
    again = true
    if (!sweep) schedule(0)
  }

  const tick = async () => {
    timer = null
    again = false
    let seen = 0
    try {
      seen = await sweepOnce()
      await foldPoints(seen < BATCH && !again)
    } catch (error) {
      log.warn({ event: 'worker_paused', err: error }, 'jobs cannot run now')
    }
    schedule(seen >= BATCH || again ? 0 : POLL_MS)
  }

  return {
    wake,
    start: () => {
      stopped = false
      schedule(0)
    },
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      timer = null
      await sweep?.catch(() => {})
      let late: NodeJS.Timeout | undefined
      const patience = new Promise((resolve) => {
        late = setTimeout(resolve, patienceMs)
      })
      await Promise.race([Promise.all(deliveries), patience])
      clearTimeout(late)
    },
    runPending: async () => {
      // Deliveries that end make room for more. While the worker runs, a round may have started before they ended.
      for (let idle = 0; idle < (stopped ? 1 : 2); ) {
        const before = deliveries.size
        const seen = (await sweepOnce()) + before + deliveries.size
        await Promise.all(deliveries)
        idle = seen === 0 ? idle + 1 : 0
      }
      await points.fold()
    },
  }
}
