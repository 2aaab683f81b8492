import { nowOf, shift } from '../core/clock.ts'
import type { Services, WriteContext } from '../core/context.ts'
import { type ClaimedJob, claimEvents, claimJob, type Db, type DueRow, dueWork, leaseJobs, MAX_DUE_JOBS } from '../db/index.ts'
import { forEachAtOnce } from '../util/at-once.ts'
import { withTimeout } from '../util/with-timeout.ts'
import {
  createWriter,
  type Failure,
  handToDeliveries,
  postponeJob,
  removeJob,
  rescheduleFutureJobs,
  runWrite,
  splitEvent,
} from './queue.ts'
import type { Registry } from './registry.ts'

/** Maximum number of events of a name in one transaction, because other writes wait for its locks. */
const TOGETHER = 64
const POLL_MS = 1000
/** While work follows work, rounds are this far apart, so that each finds more to do at once. */
const ROUND_MS = 50
/** How often points are folded while jobs follow each other, and, in polls without jobs, how often those that another instance left. */
const FOLD_MS = 5000
const FOLD_POLLS = 30
const ATTEMPTS = 12
const FIRST_DELAY_S = 2
const LONGEST_DELAY_S = 6 * 3600
/** Default maximum number of concurrent deliveries. They wait for other systems and hold no locks. */
const DELIVERIES = 16
/** A delivery that takes longer than this may be attempted again. */
const LEASE_S = 120
const SHUTDOWN_TIMEOUT_MS = 4000
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

/** A pending event or job without its source. */
type DueJob = Pick<DueRow, 'id' | 'name' | 'attempts'>

/** Seconds until the next attempt: exponential backoff, up to six hours. */
export const backoff = (attempts: number): number => Math.min(LONGEST_DELAY_S, FIRST_DELAY_S * 2 ** attempts)

const inputOf = (payload: string, event_id: number | null, happened_at: string) =>
  ({ ...JSON.parse(payload), event_id, happened_at }) as never

/**
 * Runs jobs inside this process. Several workers, also in several processes, share the table without running a job twice. A stopping worker
 * waits `shutdownTimeoutMs` for deliveries; those still in progress are attempted again when their lease expires.
 */
export const createWorker = (
  services: Services,
  registry: Registry,
  { shutdownTimeoutMs = SHUTDOWN_TIMEOUT_MS, maxDeliveries = DELIVERIES } = {},
): Worker => {
  const { database, clock, log, loop, points, realtime, tracing } = services
  const deliveries = new Set<Promise<void>>()
  const limited = [...registry.jobs.values()].flatMap(({ name, maxConcurrent }) =>
    maxConcurrent === undefined ? [] : [{ name, maxConcurrent }],
  )
  /** Deliveries in progress by limited kind. */
  const taken = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let sweep: ReturnType<typeof round> | null = null
  let roundEndedAt = Number.NEGATIVE_INFINITY
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
    { name: job, id: job_id, attempts }: DueJob,
    error: unknown,
    note: (db: Db, failure: Failure) => Promise<unknown>,
  ) => {
    const isParked = attempts >= (registry.jobs.get(job)?.attempts ?? ATTEMPTS)
    const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH)
    const failure = { status: isParked ? 'parked' : 'ready', error: text, runAt: shift(nowOf(clock), backoff(attempts - 1)) } as const
    await database.write((db) => note(db, failure), 'background')
    if (isParked) log.error({ event: 'job_parked', job, job_id, attempts, err: error }, 'job parked')
    else log.warn({ event: 'job_failed', job, job_id, attempts, err: error }, 'job failed')
  }

  const fail = ({ id, name, attempts }: DueJob, error: unknown) =>
    noteFailure({ id, name, attempts: attempts + 1 }, error, (db, failure) => postponeJob(db, id, failure))

  const write = createWriter(services, registry, { wake: () => wake() })

  /** Runs `work` as one transaction without an actor. */
  const transact = async (label: string, records: readonly DueRow[], work: (ctx: WriteContext) => Promise<void>) => {
    let events = false
    const onAdded = (added: 'event' | 'job') => {
      if (added === 'event') events = true
      else again = true
    }
    const run = () => database.write((db) => runWrite(services, registry, db, null, onAdded, work), 'background')
    const payloads = records.map(({ payload }) => payload)
    await loop.during(label, () => tracing.work(label, payloads, run))
    ran = true
    if (events) realtime.committed()
  }

  /** Runs the listeners of events of one name in one transaction. Those without listeners are only claimed. */
  const runEvents = async (records: readonly DueRow[]): Promise<void> => {
    const [record] = records
    if (!record) return
    const listeners = registry.listeners.get(record.name) ?? []
    let at: string | undefined
    try {
      await transact(`event:${record.name}`, records, async (ctx) => {
        at = undefined
        const ids = records.map(({ id }) => id)
        const claimed = await claimEvents(ctx.db, ids)
        at = listeners[0]?.name
        const given = records.filter(({ id }) => claimed.has(id)).map(({ id, payload, created_at }) => inputOf(payload, id, created_at))
        if (given.length === 0) return
        const shared = new Map()
        for (const { name, run } of listeners) {
          at = name
          await run?.(ctx, given, shared)
        }
      })
    } catch (error) {
      if (at === undefined) throw error
      // A failing event rolls back the work of the others. From now on, each runs alone.
      if (records.length > 1) {
        for (const one of records) await runEvents([one])
        return
      }
      // Its failing listener rolled back what the others did. From now on, each is a job.
      const name = at
      await noteFailure({ name, id: record.id, attempts: 1 }, error, (db, failure) =>
        splitEvent(db, record, listeners, nowOf(clock), name, failure),
      )
      again = true
    }
  }

  const runJob = async (record: DueRow): Promise<void> => {
    const definition = registry.jobs.get(record.name)
    try {
      if (!definition) throw new Error(`no job is called ${record.name}`)
      const { run } = definition
      await transact(`job:${record.name}`, [record], async (ctx) => {
        if (!run) return void (await handToDeliveries(ctx.db, [record.id]))
        const taken = await claimJob(ctx.db, record.id)
        if (taken) await run(ctx, [inputOf(taken.payload, taken.event_id, taken.created_at)], new Map())
      })
    } catch (error) {
      await fail(record, error)
    }
  }

  const deliverOne = async (record: ClaimedJob) => {
    try {
      const deliver = registry.jobs.get(record.name)?.deliver
      if (!deliver) return await runJob({ ...record, source: 'job' })
      const label = `job:${record.name}`
      const run = () => deliver(services, JSON.parse(record.payload) as never, write)
      await loop.during(label, () => tracing.work(label, [record.payload], run))
      // Waits for the row lock of another worker: skipping the row would send the delivery again.
      await database.write((db) => removeJob(db, [record.id]), 'background')
    } catch (error) {
      await fail(record, error)
    }
  }

  /** Batches of events that run in one transaction each. */
  const eventBatches = (records: readonly DueRow[]): DueRow[][] =>
    [...Map.groupBy(records, ({ name }) => name).values()].flatMap((all) =>
      Array.from({ length: Math.ceil(all.length / TOGETHER) }, (_, i) => all.slice(i * TOGETHER, (i + 1) * TOGETHER)),
    )

  /** Runs batches and jobs, as many at a time as the database gains from. */
  const runAll = async (records: readonly DueRow[]): Promise<void> => {
    const { event = [], job = [] } = Object.groupBy(records, ({ source }) => source)
    const waiting = [...eventBatches(event).map((batch) => () => runEvents(batch)), ...job.map((one) => () => runJob(one))]
    await forEachAtOnce(database.concurrentWrites, waiting, (work) => work())
  }

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
    const room = maxDeliveries - deliveries.size
    if (room <= 0) return 0
    const now = nowOf(clock)
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

  /** Runs one round; returns whether it found anything, and as much as it looks for. */
  const round = async (): Promise<{ found: boolean; full: boolean }> => {
    await heedClock()
    const due = await dueWork(database.read, nowOf(clock))
    const begun = due.some(({ source }) => source === 'delivery') ? await beginDeliveries() : 0
    const work = due.filter(({ source }) => source !== 'delivery')
    await runAll(work)
    return { found: begun + work.length > 0, full: work.length >= MAX_DUE_JOBS }
  }

  /** Folds points at the end of a drain, and every few seconds during a long one; reads that show points fold themselves. */
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
      roundEndedAt = performance.now()
    })
    return sweep
  }

  const schedule = (delay: number) => {
    if (stopped) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(tick, delay).unref()
  }

  const untilNextRound = () => Math.max(0, roundEndedAt + ROUND_MS - performance.now())

  const wake = () => {
    again = true
    if (!sweep) schedule(untilNextRound())
  }

  const tick = async () => {
    timer = null
    again = false
    let full = false
    try {
      full = (await sweepOnce()).full
      await foldPoints(!full && !again)
    } catch (error) {
      log.warn({ event: 'worker_paused', err: error }, 'jobs cannot run now')
    }
    schedule(full ? 0 : again ? untilNextRound() : POLL_MS)
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
      await withTimeout(Promise.all(deliveries), shutdownTimeoutMs, null)
    },
    runPending: async () => {
      // Deliveries that end make room for more. While the worker runs, a round may have started before they ended.
      for (let idle = 0; idle < (stopped ? 1 : 2); ) {
        const before = deliveries.size
        const { found } = await sweepOnce()
        const isIdle = !found && before + deliveries.size === 0
        await Promise.all(deliveries)
        idle = isIdle ? idle + 1 : 0
      }
      await points.fold()
    },
  }
}
