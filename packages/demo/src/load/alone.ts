import { createCore } from '../../../server/src/app.ts'
import { logFor } from '../../../server/src/cli/bootstrap.ts'
import type { Config } from '../../../server/src/config.ts'
import { type DataLocation, type Db, runText, type Value } from '../../../server/src/db/index.ts'
import { rebuildRollups } from '../../../server/src/modules/analytics/index.ts'
import { readSetting } from '../../../server/src/modules/settings/index.ts'
import { loadAlone } from '../bulk-load/index.ts'
import { courseSteps, type Taught } from '../courses.ts'
import { Interrupted } from '../insert/pace.ts'
import { activityRow } from '../insert/placed.ts'
import type { Plan } from '../plan.ts'
import { RECORDED } from './figures.ts'
import { INDEXED, indexOf, loadPlan } from './load.ts'
import { FILL_STEPS, fillLedger, fillNewPeriods, insertAllAchievements } from './points.ts'
import { fillRollups, ROLLUP_STEPS } from './rollups.ts'
import type { Steps } from './scene.ts'

/** Tables whose indexes are created after they are filled. */
const POINTS = ['points_ledger', 'daily_scores', 'period_scores']
const KEPT_FIGURES = ['analytics_member_rollups', 'analytics_space_rollups']
const FILLED = { tables: ['users', ...INDEXED.early, ...INDEXED.late, ...POINTS, ...KEPT_FIGURES], keyed: ['users', 'feeds'] }

/** Tables that must be empty for a bulk load. */
const BARE = ['feeds', 'comments', 'reactions', 'space_members', 'followers', 'points_ledger', 'activities']
const MOST_PEOPLE = 1000

/** Whether a community has nothing but a few accounts. */
export const isBare = async (db: Db): Promise<boolean> => {
  for (const table of BARE) if ((await runText(db, `select 1 as one from ${table} limit 1`, [])).length > 0) return false
  return (await runText(db, `select 1 as one from users limit ${MOST_PEOPLE}`, [])).length < MOST_PEOPLE
}

/** Relative cost of a row per kind, for progress estimates. */
export const WEIGHTS = { members: 40, posts: 25, comments: 5, votes: 4, activities: 1, indexes: 1, courses: 100_000, points: 1, figures: 1 }
const POINTS_A_MARK = 12
const FIGURES_A_MARK = 6

/** Further row counts for progress estimates. */
export const furtherRows = ({ counts }: Plan, courses: number): Readonly<Record<string, number>> => {
  const marks = counts.posts + counts.comments + counts.reactions
  return {
    activities: RECORDED.reduce((sum, rows) => sum + counts[rows], 0),
    courses,
    points: marks * POINTS_A_MARK,
    figures: marks * FIGURES_A_MARK,
  }
}

interface AloneOptions {
  readonly place: DataLocation
  readonly config: Config
  readonly plan: Plan
  readonly seed: string
  readonly courses: number
  /** The current time in database format, and below in Unix seconds. */
  readonly now: string
  readonly seconds: number
  readonly signal: AbortSignal
  readonly onProgress: (what: string, more: number) => void
}

/**
 * Fills an empty community with the same result as `insertPlan`, `insertCourses` and `insertPoints`, all or nothing.
 * @throws NotAlone before anything has happened; Interrupted after an abort
 */
export const fillAlone = ({ place, config, plan, seed, courses, now, seconds, signal, onProgress }: AloneOptions) =>
  loadAlone(place, FILLED, async (load) => {
    const { db, database } = load
    const core = createCore({ config, log: logFor(config), database })
    const { services } = core
    const marks = plan.counts.posts + plan.counts.comments + plan.counts.reactions
    const goOn = async () => {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (signal.aborted) throw new Interrupted('stopped')
    }
    const run = async (what: string, each: number, steps: AsyncGenerator<unknown> | Steps) => {
      for await (const _ of steps) {
        onProgress(what, each)
        await goOn()
      }
    }
    try {
      let taught: Taught = { courses: 0, students: 0 }
      const learned: Value[][] = []
      async function* teach(members: readonly number[]): Steps {
        const steps = courseSteps({
          ...{ services, database, count: courses, members, seed, now: seconds, beside: false, signal },
          record: async (_, told) => void learned.push(...told.map(activityRow)),
        })
        for (let step = await steps.next(); ; step = await steps.next()) {
          if (step.done) taught = step.value
          if (step.done) return
          yield 1
        }
      }
      const further = { what: 'courses', steps: teach, activities: learned }
      await loadPlan({ load, plan, now, signal, onProgress, further })
      await goOn()
      await fillNewPeriods(services, () => run('points', (marks * POINTS_A_MARK) / FILL_STEPS, fillLedger(db)))
      await run('points', 0, indexOf(load, POINTS))
      await insertAllAchievements(db)
      const zone = await readSetting(db, 'timezone')
      if (zone === 'UTC') await run('figures', (marks * FIGURES_A_MARK) / ROLLUP_STEPS, fillRollups(db))
      await run('figures', 0, indexOf(load, KEPT_FIGURES))
      if (zone !== 'UTC') await rebuildRollups(services, () => !signal.aborted)
      await run('figures', 0, indexOf(load, ['users']))
      return taught
    } finally {
      await core.close()
    }
  })
