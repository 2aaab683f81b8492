import { setImmediate } from 'node:timers/promises'
import { type Database, type Db, statement, statementOne } from '../../db/index.ts'
import type { Board } from './queries.ts'

/** A position in the order of a board: most points first; with equal points, the older account first. */
export interface BoardPosition {
  readonly points: number
  readonly user_id: number
}

/** A position and the number of entries up to and including it. */
interface Checkpoint extends BoardPosition {
  readonly count: number
}

/** Every `INTERVAL`th position of a board, and its inactive users; both in board order. */
export interface Checkpoints {
  readonly positions: readonly Checkpoint[]
  readonly inactive: readonly BoardPosition[]
}

const INTERVAL = 500
/** Checkpoints computed before yielding to other work. */
const BATCH_SIZE = 10
/** Age up to which checkpoints are used without a refresh, and up to which they are used at all. */
const FRESH_FOR_S = 60
const USABLE_FOR_S = 120
const MAX_BOARDS = 500

const ON = 's.period_id = $1 and s.space_id = $2'
const nextWithEqualPoints = statementOne<BoardPosition>(
  `select s.points, s.user_id from period_scores s where ${ON} and s.points = $3 and s.user_id > $4 order by s.user_id limit 1 offset ${INTERVAL - 1}`,
)
const remainingWithEqualPoints = statementOne<{ n: number }>(
  `select count(*) as n from period_scores s where ${ON} and s.points = $3 and s.user_id > $4`,
)
const nextWithFewerPoints = statementOne<BoardPosition>(
  `select s.points, s.user_id from period_scores s where ${ON} and s.points < $3 and s.points > 0
   order by s.points desc, s.user_id limit 1 offset $4`,
)
const inactiveOnBoard = statement<BoardPosition>(
  `select s.points, s.user_id from users u cross join period_scores s
   where ${ON} and u.status <> 'active' and s.user_id = u.id and s.points > 0 order by s.points desc, s.user_id`,
)

/** Whether `a` ranks above `b`. */
export const isBefore = (a: BoardPosition, b: BoardPosition): boolean =>
  a.points > b.points || (a.points === b.points && a.user_id < b.user_id)

const nextCheckpoint = async (
  db: Db,
  { periodId, spaceId }: Board,
  { points, user_id }: BoardPosition,
): Promise<BoardPosition | undefined> => {
  const equal = await nextWithEqualPoints(db, [periodId, spaceId, points, user_id])
  if (equal) return equal
  const left = (await remainingWithEqualPoints(db, [periodId, spaceId, points, user_id]))?.n ?? 0
  return nextWithFewerPoints(db, [periodId, spaceId, points, INTERVAL - 1 - left])
}

const computeCheckpoints = async (db: Db, board: Board): Promise<Checkpoints> => {
  const inactive = await inactiveOnBoard(db, [board.periodId, board.spaceId])
  const positions: Checkpoint[] = []
  for (let last: BoardPosition = { points: Number.MAX_SAFE_INTEGER, user_id: 0 }; ; ) {
    const next = await nextCheckpoint(db, board, last)
    if (!next) return { positions, inactive }
    positions.push({ ...next, count: (positions.length + 1) * INTERVAL })
    last = next
    if (positions.length % BATCH_SIZE === 0) await setImmediate()
  }
}

interface CacheEntry {
  readonly checkpoints: Checkpoints
  readonly computedAt: number
}

interface Store {
  readonly cache: Map<string, CacheEntry>
  readonly inProgress: Map<string, Promise<Checkpoints>>
}

const stores = new WeakMap<Database, Store>()

const storeOf = (database: Database): Store => {
  const known = stores.get(database)
  if (known) return known
  const made: Store = { cache: new Map(), inProgress: new Map() }
  stores.set(database, made)
  return made
}

const startComputing = (database: Database, board: Board, key: string, now: number): Promise<Checkpoints> => {
  const { cache, inProgress } = storeOf(database)
  const present = inProgress.get(key)
  if (present !== undefined) return present
  const work = computeCheckpoints(database.read, board)
    .then((checkpoints) => {
      cache.delete(key)
      cache.set(key, { checkpoints, computedAt: now })
      const oldest = cache.size > MAX_BOARDS ? cache.keys().next().value : undefined
      if (oldest !== undefined) cache.delete(oldest)
      return checkpoints
    })
    .finally(() => inProgress.delete(key))
  inProgress.set(key, work)
  return work
}

/** The checkpoints of a board. Stale ones are still used while new ones are computed, up to a limit. `now` is a stored datetime. */
export const checkpointsOf = async (database: Database, board: Board, now: string): Promise<Checkpoints> => {
  const key = `${board.periodId} ${board.spaceId}`
  const timestamp = Date.parse(`${now.replace(' ', 'T')}Z`) / 1000
  const found = storeOf(database).cache.get(key)
  const age = found ? Math.abs(timestamp - found.computedAt) : Number.POSITIVE_INFINITY
  if (found && age <= FRESH_FOR_S) return found.checkpoints
  const work = startComputing(database, board, key, timestamp)
  if (!found || age > USABLE_FOR_S) return work
  // The next caller sees the result or the error.
  work.catch(() => {})
  return found.checkpoints
}
