import { setImmediate } from 'node:timers/promises'
import { type Database, type Db, statement, statementOne } from '../../db/index.ts'
import type { Board } from './queries.ts'

/** A place in the order of a board: most points first, among equals the older account. */
export interface Key {
  readonly points: number
  readonly user_id: number
}

/** A place, and how many stand up to it, itself included. */
interface Mark extends Key {
  readonly count: number
}

/** Every so manieth place of a board, and those on it who are not listed; both in its order. */
export interface Marks {
  readonly places: readonly Mark[]
  readonly inactive: readonly Key[]
}

const STEP = 500
/** Marks that are made before others get their turn. */
const AT_ONCE = 10
/** Seconds after which marks are made anew, and after which nobody is answered by them any more. */
const FRESH_S = 60
const OLD_S = 120
const MOST_BOARDS = 500

const ON = 's.period_id = $1 and s.space_id = $2'
const amongEquals = statementOne<Key>(
  `select s.points, s.user_id from period_scores s where ${ON} and s.points = $3 and s.user_id > $4 order by s.user_id limit 1 offset ${STEP - 1}`,
)
const equalsLeft = statementOne<{ n: number }>(`select count(*) as n from period_scores s where ${ON} and s.points = $3 and s.user_id > $4`)
const amongLess = statementOne<Key>(
  `select s.points, s.user_id from period_scores s where ${ON} and s.points < $3 and s.points > 0
   order by s.points desc, s.user_id limit 1 offset $4`,
)
const unlisted = statement<Key>(
  `select s.points, s.user_id from users u cross join period_scores s
   where ${ON} and u.status <> 'active' and s.user_id = u.id and s.points > 0 order by s.points desc, s.user_id`,
)

/** Whether `a` stands before `b`. */
export const isBefore = (a: Key, b: Key): boolean => a.points > b.points || (a.points === b.points && a.user_id < b.user_id)

const stepAfter = async (db: Db, { window, spaceId }: Board, { points, user_id }: Key): Promise<Key | undefined> => {
  const equal = await amongEquals(db, [window, spaceId, points, user_id])
  if (equal) return equal
  const left = (await equalsLeft(db, [window, spaceId, points, user_id]))?.n ?? 0
  return amongLess(db, [window, spaceId, points, STEP - 1 - left])
}

const makeMarks = async (db: Db, board: Board): Promise<Marks> => {
  const inactive = await unlisted(db, [board.window, board.spaceId])
  const places: Mark[] = []
  for (let last: Key = { points: Number.MAX_SAFE_INTEGER, user_id: 0 }; ; ) {
    const next = await stepAfter(db, board, last)
    if (!next) return { places, inactive }
    places.push({ ...next, count: (places.length + 1) * STEP })
    last = next
    if (places.length % AT_ONCE === 0) await setImmediate()
  }
}

interface CacheEntry {
  readonly marks: Marks
  readonly madeAt: number
}

interface Store {
  readonly kept: Map<string, CacheEntry>
  readonly underWay: Map<string, Promise<Marks>>
}

const stores = new WeakMap<Database, Store>()

const storeOf = (database: Database): Store => {
  const known = stores.get(database)
  if (known) return known
  const made: Store = { kept: new Map(), underWay: new Map() }
  stores.set(database, made)
  return made
}

const begin = (database: Database, board: Board, key: string, now: number): Promise<Marks> => {
  const { kept, underWay } = storeOf(database)
  const present = underWay.get(key)
  if (present !== undefined) return present
  const work = makeMarks(database.read, board)
    .then((marks) => {
      kept.delete(key)
      kept.set(key, { marks, madeAt: now })
      const oldest = kept.size > MOST_BOARDS ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      return marks
    })
    .finally(() => underWay.delete(key))
  underWay.set(key, work)
  return work
}

/**
 * The marks of a board, at most a minute old as long as somebody asks: older ones are made anew while he is answered by them. `now` is the
 * stored form of the moment.
 */
export const marksOf = async (database: Database, board: Board, now: string): Promise<Marks> => {
  const key = `${board.window} ${board.spaceId}`
  const moment = Date.parse(`${now.replace(' ', 'T')}Z`) / 1000
  const found = storeOf(database).kept.get(key)
  const age = found ? Math.abs(moment - found.madeAt) : Number.POSITIVE_INFINITY
  if (found && age <= FRESH_S) return found.marks
  const work = begin(database, board, key, moment)
  if (!found || age > OLD_S) return work
  // Who asks next will see what became of it.
  work.catch(() => {})
  return found.marks
}
