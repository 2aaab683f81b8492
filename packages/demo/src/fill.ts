import { placeOf, withCore } from '../../server/src/cli/bootstrap.ts'
import { configFor, type Terminal } from '../../server/src/cli/terminal.ts'
import { nowOf, systemClock } from '../../server/src/core/clock.ts'
import { DataLocked, isServed, lockData, type ServerLock } from '../../server/src/db/index.ts'
import { rebuildRollups } from '../../server/src/modules/analytics/index.ts'
import { NotAlone } from './bulk-load/index.ts'
import { insertCourses } from './courses.ts'
import { Interrupted } from './insert/pace.ts'
import { insertPlan } from './insert.ts'
import { fillAlone, furtherRows, isBare, WEIGHTS } from './load/alone.ts'
import { plan } from './plan.ts'
import { insertPoints } from './points.ts'
import { createProgress } from './progress.ts'

/** From this many rows on, an empty community is locked and loaded in one transaction. */
const BULK_LOAD_ROWS = 100_000

export interface Sizes {
  readonly members: number
  readonly spaces: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly courses: number
  readonly seed: string
}

export interface Filled {
  /** False after an interruption. */
  readonly complete: boolean
  readonly counts: Readonly<Record<string, number>>
  readonly milliseconds: Readonly<Record<string, number>>
  /** What could not be created as requested, for people to read. */
  readonly shortfalls: readonly string[]
}

interface Work {
  readonly terminal: Terminal
  readonly wanted: Sizes
  readonly signal: AbortSignal
}

/** Adds to a community that may have data and a running server. */
const fillBeside = ({ terminal, wanted, signal }: Work) =>
  withCore(terminal, async ({ services }) => {
    const { config, database, clock } = services
    const now = Math.floor(clock.now().getTime() / 1000)
    const planned = plan({ ...wanted, now })
    const bar = createProgress({ tty: terminal.shows, write: terminal.err }, planned.counts)
    const beside = await isServed(placeOf(config))
    const { members, ...placed } = await insertPlan({
      ...{ database, plan: planned, now: nowOf(clock), beside, signal },
      onProgress: bar.show,
    })
    const begun = performance.now()
    const taught = placed.complete
      ? await insertCourses({ services, database, count: wanted.courses, members, seed: wanted.seed, now, beside, signal })
      : { courses: 0, students: 0 }
    const counting = performance.now()
    if (placed.complete && !signal.aborted) await insertPoints({ services, beside, signal })
    // Rebuilding the rollups once is faster than the server updating them change by change.
    if (placed.complete && !signal.aborted) await rebuildRollups(services, () => !signal.aborted)
    bar.clear()
    return {
      complete: placed.complete && !signal.aborted,
      counts: { ...placed.counts, ...taught },
      milliseconds: { ...placed.milliseconds, ...(placed.complete && { courses: Math.round(counting - begun) }) },
      shortfalls: planned.shortfalls,
    }
  })

/** Locks the data if the community is empty and no other process uses it; null otherwise. */
const holdEmpty = async (terminal: Terminal): Promise<ServerLock | null> => {
  const place = await withCore(terminal, async ({ services: { config, database } }) =>
    (await isBare(database.read)) ? placeOf(config) : null,
  )
  try {
    return place && (await lockData(place, 'demo'))
  } catch (error) {
    if (error instanceof DataLocked) return null
    throw error
  }
}

/** Fills an empty community in one transaction; null, with nothing changed, if another process has it open. */
const fillEmpty = async ({ terminal, wanted, signal }: Work) => {
  const config = configFor({ ...terminal, err: () => {} })
  const seconds = Math.floor(systemClock.now().getTime() / 1000)
  const planned = plan({ ...wanted, now: seconds })
  const bar = createProgress(
    { tty: terminal.shows, write: terminal.err },
    { ...planned.counts, ...furtherRows(planned, wanted.courses) },
    undefined,
    WEIGHTS,
  )
  const done: Record<string, number> = {}
  const milliseconds: Record<string, number> = {}
  let heard = performance.now()
  const onProgress = (what: string, more: number) => {
    const moment = performance.now()
    milliseconds[what] = Math.round((milliseconds[what] ?? 0) + moment - heard)
    heard = moment
    done[what] = (done[what] ?? 0) + more
    bar.show(what, Math.round(done[what]))
  }
  const options = { place: placeOf(config), config, plan: planned, seed: wanted.seed, courses: wanted.courses }
  try {
    const taught = await fillAlone({ ...options, now: nowOf(systemClock), seconds, signal, onProgress })
    return { complete: true, counts: { ...planned.counts, ...taught }, milliseconds, shortfalls: planned.shortfalls }
  } catch (error) {
    if (error instanceof NotAlone) return null
    if (!(error instanceof Interrupted)) throw error
    const counts = Object.fromEntries(Object.keys(planned.counts).map((name) => [name, 0]))
    return { complete: false, counts: { ...counts, courses: 0, students: 0 }, milliseconds: {}, shortfalls: [] }
  } finally {
    bar.clear()
  }
}

/**
 * Fills the community of the terminal's configuration. An empty one that no other process uses is locked and loaded in one transaction,
 * all or nothing, if many rows are wanted; any other is filled in small transactions, each of which leaves consistent data.
 */
export const fill = async (work: Work): Promise<Filled> => {
  const { members, posts, comments, reactions } = work.wanted
  const hold = members + posts + comments + reactions < (work.terminal.many ?? BULK_LOAD_ROWS) ? null : await holdEmpty(work.terminal)
  if (hold) {
    try {
      const filled = await fillEmpty(work)
      if (filled) return filled
    } finally {
      await hold.release()
    }
  }
  return fillBeside(work)
}
