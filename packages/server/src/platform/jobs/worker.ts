import { type ClaimedJob, claimJob } from '../../db/index.ts'
import { nowOf, shift } from '../clock.ts'
import type { Services } from '../context.ts'
import { dueJobsAt, lease, postponeJob, writeContext } from './queue.ts'
import type { Registry } from './registry.ts'

const BATCH = 64
const POLL_MS = 1000
const ATTEMPTS = 12
const FIRST_DELAY_S = 2
const LONGEST_DELAY_S = 6 * 3600
/** A delivery that takes longer than this may be tried a second time. */
const LEASE_S = 120
const ERROR_LENGTH = 500

export interface Worker {
  /** Something may be due: look now rather than at the next poll. */
  wake(): void
  start(): void
  /** Lets the running jobs end. */
  stop(): Promise<void>
  /** Runs everything that is due now, and what that makes due; for tests and the command line. */
  settle(): Promise<void>
}

/** Seconds to wait before the next try: doubling, up to six hours. */
export const backoff = (attempts: number): number => Math.min(LONGEST_DELAY_S, FIRST_DELAY_S * 2 ** attempts)

/** Runs jobs inside this process. Several workers, also in several processes, share the table without doing a job twice. */
export const createWorker = (services: Services, registry: Registry): Worker => {
  const { database, clock, log } = services
  let timer: NodeJS.Timeout | null = null
  let sweep: Promise<number> | null = null
  let stopped = true
  let again = false

  const fail = async (record: ClaimedJob, error: unknown) => {
    const attempts = record.attempts + 1
    const allowed = registry.jobs.get(record.name)?.attempts ?? ATTEMPTS
    const status = attempts >= allowed ? 'parked' : 'ready'
    const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH)
    log[status === 'parked' ? 'error' : 'warn'](
      { job: record.name, job_id: record.id, attempts, err: error },
      `job ${status === 'parked' ? 'parked' : 'failed'}`,
    )
    await database.write((db) => postponeJob(db, record.id, shift(nowOf(clock), backoff(record.attempts)), text, status))
  }

  const runOne = async (record: ClaimedJob) => {
    const definition = registry.jobs.get(record.name)
    try {
      if (!definition) throw new Error(`no job is called ${record.name}`)
      if (definition.deliver) {
        const now = nowOf(clock)
        if (!(await database.write((db) => lease(db, record.id, shift(now, LEASE_S), now)))) return
        await definition.deliver(services, JSON.parse(record.payload) as never)
        await database.write((db) => claimJob(db, record.id))
        return
      }
      await database.write(async (db) => {
        const taken = await claimJob(db, record.id)
        if (!taken) return
        const ctx = writeContext(services, registry, db, nowOf(clock), null, () => {
          again = true
        })
        await definition.run?.(ctx, JSON.parse(taken.payload) as never)
      })
    } catch (error) {
      await fail(record, error)
    }
  }

  /** One round; the number of jobs it saw. */
  const round = async (): Promise<number> => {
    const records = await dueJobsAt(database.read, nowOf(clock), BATCH)
    const waiting = [...records]
    const lane = async () => {
      for (let record = waiting.shift(); record; record = waiting.shift()) await runOne(record)
    }
    await Promise.all(Array.from({ length: Math.min(database.concurrentWrites, waiting.length) }, lane))
    return records.length
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

  const tick = async () => {
    timer = null
    again = false
    let seen = 0
    try {
      seen = await sweepOnce()
    } catch (error) {
      log.warn({ err: error }, 'jobs cannot run now')
    }
    schedule(seen === BATCH || again ? 0 : POLL_MS)
  }

  return {
    wake: () => {
      if (sweep) again = true
      else schedule(0)
    },
    start: () => {
      stopped = false
      schedule(0)
    },
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      timer = null
      await sweep?.catch(() => {})
    },
    settle: async () => {
      while ((await sweepOnce()) > 0);
    },
  }
}
