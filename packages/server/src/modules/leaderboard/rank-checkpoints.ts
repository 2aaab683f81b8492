import { setImmediate } from 'node:timers/promises'
import { agedAggregate } from '../../cache/cached.ts'
import type { ReadContext } from '../../core/context.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
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

/** The checkpoints of a board: up to a minute old, or two while new ones are computed. */
export const checkpointsOf = (ctx: Pick<ReadContext, 'services' | 'snapshot'>, board: Board): Promise<Checkpoints> =>
  agedAggregate(ctx, `checkpoints ${board.periodId} ${board.spaceId}`, () => computeCheckpoints(ctx.services.database.read, board))
