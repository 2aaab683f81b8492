import { shift } from '../../core/clock.ts'
import { type Db, rowVersion, statement, statementOne } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'

export interface State {
  /** Which rows hold the figures. */
  readonly generation: number
  /** The time zone whose days they are. */
  readonly zone: string
  readonly stale: 0 | 1
  readonly rebuilding_until: string | null
  /** Changes whenever the figures do, on PostgreSQL (`rowVersion`). */
  readonly version: string | null
}

const state = (version: string) =>
  statementOne<State>(
    `select s.generation, s.zone, s.stale, s.rebuilding_until, ${version} as version from analytics_state s where s.id = 1`,
  )
const stateBy = new Map<string, ReturnType<typeof state>>()
const touch = statement('update analytics_state set generation = generation where id = 1')
const waiting = statementOne<{ id: number }>('select id from analytics_outbox where id > 0 order by id limit 1')
const outdate = statement('update analytics_state set stale = 1 where id = 1')
const claim = statementOne<{ generation: number }>(
  `update analytics_state set stale = 1, rebuilding_until = $1
   where id = 1 and (rebuilding_until is null or rebuilding_until <= $2 or rebuilding_until > $3) returning generation`,
)
const extend = statementOne<{ id: number }>(
  'update analytics_state set rebuilding_until = $1 where id = 1 and rebuilding_until = $2 returning id',
)
const giveUp = statement('update analytics_state set rebuilding_until = null where id = 1 and rebuilding_until = $1')
const finish = statement('update analytics_state set generation = $1, zone = $2, stale = 0, rebuilding_until = null where id = 1')

/** Clocks of several servers may differ so much. */
const CLOCK_S = 60

/** Held by whoever changes the figures. */
export const LOCK = 'analytics'

export const readState = async (db: Db): Promise<State> => {
  const version = rowVersion(db, 's')
  const read = stateBy.get(version) ?? state(version)
  stateBy.set(version, read)
  return (await read(db)) ?? { generation: 0, zone: 'UTC', stale: 1, rebuilding_until: null, version: null }
}

/** Tells those who keep something made of the figures that these have changed. */
export const notifyChanged = (db: Db) => touch(db)

export const markStale = (db: Db) => outdate(db)
/** Takes on a rebuild, and tells which generation holds until it ends; null while another process is at one. */
export const claimRebuild = async (db: Db, now: string, until: string): Promise<number | null> =>
  // What lies further ahead was written by a clock that has been put back.
  (await claim(db, [until, now, shift(until, CLOCK_S)]))?.generation ?? null
/** Goes on with the rebuild that was claimed until `held`; false when another process has taken it over. */
export const extendRebuild = async (db: Db, held: string, until: string): Promise<boolean> =>
  (await extend(db, [until, held])) !== undefined
/** Leaves the rebuild that was claimed until `held` to whoever comes next. */
export const giveUpRebuild = (db: Db, held: string) => giveUp(db, [held])
export const finishRebuild = (db: Db, generation: number, zone: string) => finish(db, [generation, zone])

export type RollupState = 'current' | 'changes wait' | 'outdated'

/** How the figures stand to the rows that they count. */
export const standingOf = async (db: Db): Promise<RollupState> => {
  const { stale, zone } = await readState(db)
  if (stale || zone !== (await readSetting(db, 'timezone'))) return 'outdated'
  return (await waiting(db)) ? 'changes wait' : 'current'
}
