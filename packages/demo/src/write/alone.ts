import { createCore } from '../../../server/src/app.ts'
import { logFor } from '../../../server/src/cli/bootstrap.ts'
import type { Config } from '../../../server/src/config.ts'
import { type DataLocation, type Db, runText } from '../../../server/src/db/index.ts'
import { rebuildRollups } from '../../../server/src/modules/analytics/index.ts'
import { readSetting } from '../../../server/src/modules/settings/index.ts'
import { recordActivities } from '../../../transfer/src/bulk/activities.ts'
import { createCounters } from '../../../transfer/src/bulk/counters.ts'
import { Interrupted } from '../../../transfer/src/bulk/write-pacing.ts'
import { bootstrapRollups, ROLLUP_STEPS } from '../bootstrap-rollups.ts'
import { type BulkLoader, openBulkLoader } from '../bulk-load/index.ts'
import { writeCourses } from '../courses.ts'
import type { GeneratedCommunity } from '../generator.ts'
import { BOOTSTRAP_STEPS, bootstrapLedger, bootstrapPeriods, insertAllAchievements } from '../points/bootstrap.ts'
import type { Steps } from './target.ts'
import { writeGenerated } from './write-generated.ts'
import { type OnProgress, writeInLoad } from './writer.ts'

/** Tables whose indexes are created after they are filled, in this order; those of EARLY before the courses, which read them. */
const EARLY = ['user_name_tokens', 'space_members', 'followers', 'reactions', 'bookmarks', 'survey_votes']
const LATE = ['comments', 'feeds', 'feed_topics', 'activities']
const POINTS = ['points_ledger', 'daily_scores', 'period_scores']
const KEPT_FIGURES = ['analytics_member_rollups', 'analytics_space_rollups']
const FILLED = { tables: ['users', ...EARLY, ...LATE, ...POINTS, ...KEPT_FIGURES], keyed: ['users', 'feeds'] }

/** Tables that must be empty for a bulk load. */
const BARE = ['feeds', 'comments', 'reactions', 'space_members', 'followers', 'points_ledger', 'activities']
const MOST_PEOPLE = 1000

/** Whether a community has nothing but a few accounts. */
export const isBare = async (db: Db): Promise<boolean> => {
  for (const table of BARE) if ((await runText(db, `select 1 as one from ${table} limit 1`, [])).length > 0) return false
  return (await runText(db, `select 1 as one from users limit ${MOST_PEOPLE}`, [])).length < MOST_PEOPLE
}

/** Relative cost of a row per kind, for progress estimates. */
export const WEIGHTS = { members: 40, posts: 25, comments: 5, votes: 4, indexes: 1, courses: 100_000, points: 1, figures: 1 }
const POINTS_PER_ITEM = 12
const FIGURES_PER_ITEM = 6

/** Further row counts for progress estimates. */
export const furtherRows = ({ counts }: GeneratedCommunity, courses: number): Readonly<Record<string, number>> => {
  const items = counts.posts + counts.comments + counts.reactions
  return {
    courses,
    points: items * POINTS_PER_ITEM,
    figures: items * FIGURES_PER_ITEM,
  }
}

/** Creates the indexes of complete tables. */
async function* indexOf(load: BulkLoader, tables: readonly string[], onProgress: OnProgress): Steps {
  for (const table of tables) {
    for await (const _ of load.index(table)) {
      onProgress('indexes', 1)
      yield
    }
  }
}

interface AloneOptions {
  readonly place: DataLocation
  readonly config: Config
  readonly generated: GeneratedCommunity
  readonly seed: string
  readonly courses: number
  /** The current time in database format, and below in Unix seconds. */
  readonly now: string
  readonly seconds: number
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
}

/**
 * Fills an empty community in one transaction, with points and rollups from a few statements over all data. Returns the number of students.
 * @throws ExclusiveAccessError before anything has happened; Interrupted after an abort
 */
export const fillAlone = ({ place, config, generated, seed, courses, now, seconds, signal, onProgress }: AloneOptions): Promise<number> =>
  openBulkLoader(place, FILLED, async (load) => {
    const { db, database } = load
    const core = createCore({ config, log: logFor(config), database })
    const { services } = core
    const items = generated.counts.posts + generated.counts.comments + generated.counts.reactions
    const goOn = async () => {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (signal.aborted) throw new Interrupted('stopped')
    }
    const run = async (steps: Steps, report = () => {}) => {
      for await (const _ of steps) {
        report()
        await goOn()
      }
    }
    const index = (tables: readonly string[]) => indexOf(load, tables, onProgress)
    try {
      const counters = createCounters()
      const writer = writeInLoad({ load, counters, onProgress })
      const members = await writeGenerated({ generated, writer, now, goOn, meanwhile: index(EARLY) })
      let students = 0
      await writeCourses({
        ...{ services, count: courses, members, seed, now: seconds },
        record: (_, activities) => recordActivities(load.add, activities),
        onWritten: (what) => {
          if (what === 'courses') onProgress(what, 1)
          else students++
          return goOn()
        },
      })
      await counters.flush(db)
      await run(index(LATE))
      await bootstrapPeriods(services, () =>
        run(bootstrapLedger(db), () => onProgress('points', (items * POINTS_PER_ITEM) / BOOTSTRAP_STEPS)),
      )
      await run(index(POINTS))
      await insertAllAchievements(db)
      const zone = await readSetting(db, 'timezone')
      if (zone === 'UTC') await run(bootstrapRollups(db), () => onProgress('figures', (items * FIGURES_PER_ITEM) / ROLLUP_STEPS))
      await run(index(KEPT_FIGURES))
      if (zone !== 'UTC') await rebuildRollups(services, () => !signal.aborted)
      await run(index(['users']))
      return students
    } finally {
      await core.close()
    }
  })
