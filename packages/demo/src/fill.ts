import { dataLocationOf, withCore } from '../../server/src/cli/bootstrap.ts'
import { configFor, type Terminal } from '../../server/src/cli/terminal.ts'
import { nowOf, systemClock } from '../../server/src/core/clock.ts'
import { DataLocked, insertRows, isServed, lockData, type ServerLock } from '../../server/src/db/index.ts'
import { rebuildRollups } from '../../server/src/modules/analytics/index.ts'
import { recordActivities } from '../../transfer/src/bulk/activities.ts'
import { createProgress } from '../../transfer/src/bulk/progress.ts'
import { createWritePacing, Interrupted } from '../../transfer/src/bulk/write-pacing.ts'
import { ExclusiveAccessError } from './bulk-load/index.ts'
import { writeCourses } from './courses.ts'
import { generate } from './generator.ts'
import { insertPoints } from './points/backfill.ts'
import { fillAlone, furtherRows, isBare, WEIGHTS } from './write/alone.ts'
import { writeGenerated } from './write/write-generated.ts'
import { writeInSlices } from './write/writer.ts'

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

/** Shows progress, and measures the time of each kind of row: until each report since the previous one. */
const createTracker = (terminal: Terminal, totals: Readonly<Record<string, number>>, weights?: Readonly<Record<string, number>>) => {
  const bar = createProgress({ tty: terminal.shows, write: terminal.err }, totals, undefined, weights)
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
  return { onProgress, milliseconds, clear: bar.clear }
}

/** Adds to a community that may have data and a running server. */
const fillBeside = ({ terminal, wanted, signal }: Work) =>
  withCore(
    terminal,
    async ({ services }) => {
      const { config, database, clock } = services
      const now = Math.floor(clock.now().getTime() / 1000)
      const generated = generate({ ...wanted, now })
      const tracker = createTracker(terminal, { ...generated.counts, courses: wanted.courses })
      const beside = await isServed(dataLocationOf(config))
      const writer = writeInSlices({ database, beside, signal, onProgress: tracker.onProgress })
      const pacing = createWritePacing({ beside })
      const taught = { courses: 0, students: 0 }
      const goOn = async () => {
        if (signal.aborted) throw new Interrupted('stopped')
      }
      try {
        const members = await writeGenerated({ generated, writer, now: nowOf(clock), goOn })
        await writeCourses({
          ...{ services, count: wanted.courses, members, seed: wanted.seed, now },
          record: (db, activities) => recordActivities((...rows) => insertRows(db, ...rows), activities),
          onWritten: async (what) => {
            taught[what]++
            if (what === 'courses') tracker.onProgress(what, 1)
            await pacing.rest()
            await goOn()
          },
        })
        await insertPoints({ services, beside, signal })
        // Rebuilding the rollups once is faster than the server updating them change by change.
        if (!signal.aborted) await rebuildRollups(services, () => !signal.aborted)
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error
      }
      tracker.clear()
      const { milliseconds } = tracker
      return { complete: !signal.aborted, counts: { ...writer.counts, ...taught }, milliseconds, shortfalls: generated.shortfalls }
    },
    { creates: true },
  )

/** Locks the data if the community is empty and no other process uses it; null otherwise. */
const holdEmpty = async (terminal: Terminal): Promise<ServerLock | null> => {
  const place = await withCore(
    terminal,
    async ({ services: { config, database } }) => ((await isBare(database.read)) ? dataLocationOf(config) : null),
    { creates: true },
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
  const { courses, seed } = wanted
  const seconds = Math.floor(systemClock.now().getTime() / 1000)
  const generated = generate({ ...wanted, now: seconds })
  const { onProgress, milliseconds, clear } = createTracker(terminal, { ...generated.counts, ...furtherRows(generated, courses) }, WEIGHTS)
  const options = { place: dataLocationOf(config), config, generated, seed, courses }
  try {
    const students = await fillAlone({ ...options, now: nowOf(systemClock), seconds, signal, onProgress })
    return { complete: true, counts: { ...generated.counts, courses, students }, milliseconds, shortfalls: generated.shortfalls }
  } catch (error) {
    if (error instanceof ExclusiveAccessError) return null
    if (!(error instanceof Interrupted)) throw error
    const counts = Object.fromEntries(Object.keys(generated.counts).map((name) => [name, 0]))
    return { complete: false, counts: { ...counts, courses: 0, students: 0 }, milliseconds: {}, shortfalls: [] }
  } finally {
    clear()
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
