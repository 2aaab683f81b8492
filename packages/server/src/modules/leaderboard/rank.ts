import { setImmediate } from 'node:timers/promises'
import { agedAggregate } from '../../cache/cached.ts'
import type { ReadContext } from '../../core/context.ts'
import { type Db, type Placeholder, selectRows } from '../../db/index.ts'
import { type Leaderboard, leaderboardCondition } from './queries.ts'

/** A position in the order of a leaderboard: most points first; with equal points, the older account first. */
interface RankPosition {
  readonly points: number
  readonly user_id: number
}

/** A position and the number of entries up to and including it. */
interface Checkpoint extends RankPosition {
  readonly count: number
}

/** Every `INTERVAL`th position of a leaderboard, and its inactive users; both in leaderboard order. */
interface Checkpoints {
  readonly positions: readonly Checkpoint[]
  readonly inactive: readonly RankPosition[]
}

const INTERVAL = 500
/** Up to this rank, the entries above are counted exactly. */
const MAX_EXACT_RANK = 2000

/** Whether `a` ranks above `b`. */
const isBefore = (a: RankPosition, b: RankPosition): boolean => a.points > b.points || (a.points === b.points && a.user_id < b.user_id)

/**
 * SQL conditions that together select the entries of a leaderboard after a position, or from the top, and before another, or to the end.
 * Each selects a range of the order index.
 */
const rangesBetween = (from: RankPosition | null, to: RankPosition | null, p: Placeholder): string[] => {
  const after = from && `s.points = ${p(from.points)} and s.user_id > ${p(from.user_id)}`
  const before = to && `s.points = ${p(to.points)} and s.user_id < ${p(to.user_id)}`
  if (after && before && from.points === to.points) return [`${after} and ${before}`]
  const inside = [...(from ? [`s.points < ${p(from.points)}`] : []), `s.points > ${p(to?.points ?? 0)}`].join(' and ')
  return [after, inside, before].filter((range) => range !== null)
}

/** The `INTERVAL`th position after another, or from the top. The limit of each part makes PostgreSQL read it in index order. */
const nextPosition = async (db: Db, board: Leaderboard, last: RankPosition | null): Promise<RankPosition | undefined> => {
  const order = 'order by points desc, user_id limit'
  const rows = await selectRows<RankPosition>(db, (p) => {
    const condition = leaderboardCondition(board, p)
    const part = (range: string) => `select s.points, s.user_id from period_scores s where ${condition} and ${range} ${order} ${INTERVAL}`
    const parts = rangesBetween(last, null, p).map((range) => `select p1.points, p1.user_id from (${part(range)}) p1`)
    return `${parts.join(' union all ')} ${order} 1 offset ${INTERVAL - 1}`
  })
  return rows[0]
}

const computeCheckpoints = async (db: Db, board: Leaderboard): Promise<Checkpoints> => {
  const inactive = await selectRows<RankPosition>(
    db,
    (p) => `select s.points, s.user_id from users u cross join period_scores s where ${leaderboardCondition(board, p)}
      and u.status <> 'active' and s.user_id = u.id and s.points > 0 order by s.points desc, s.user_id`,
  )
  const positions: Checkpoint[] = []
  let last: RankPosition | null = null
  for (let count = INTERVAL; ; count += INTERVAL) {
    const next: RankPosition | undefined = await nextPosition(db, board, last)
    if (!next) return { positions, inactive }
    positions.push({ ...next, count })
    last = next
    // Large leaderboards have many positions.
    await setImmediate()
  }
}

/** The checkpoints of a leaderboard: up to a minute old, or two while new ones are computed. */
const checkpointsOf = (ctx: Pick<ReadContext, 'services' | 'snapshot'>, board: Leaderboard): Promise<Checkpoints> =>
  agedAggregate(ctx, `checkpoints ${board.periodId} ${board.spaceId}`, () => computeCheckpoints(ctx.services.database.read, board))

/** The number of entries in an ordered list up to and including `key`. */
const countUpTo = (list: readonly RankPosition[], key: RankPosition): number => {
  const next = list.findIndex((one) => isBefore(key, one))
  return next < 0 ? list.length : next
}

/** The sum of a count over the entries between two positions; `text` gets the SQL condition of each range. */
const countBetween = async (
  db: Db,
  board: Leaderboard,
  from: RankPosition | null,
  to: RankPosition,
  text: (where: string) => string,
): Promise<number> => {
  const rows = await selectRows<{ n: number }>(db, (p) => {
    const condition = leaderboardCondition(board, p)
    return `select ${rangesBetween(from, to, p)
      .map((range) => `(${text(`${condition} and ${range}`)})`)
      .join(' + ')} as n`
  })
  return rows[0]?.n ?? 0
}

const countLimited = (where: string) => `select count(*) from (select 1 from period_scores s where ${where} limit ${MAX_EXACT_RANK + 1}) p1`
const countActive = (where: string) =>
  `select count(*) from period_scores s cross join users u where ${where} and u.id = s.user_id and u.status = 'active'`

/** The rank of a score on a leaderboard: exact near the top; further down, the count up to the nearest checkpoint may be minutes old. */
export const rankOf = async (
  ctx: Pick<ReadContext, 'db' | 'services' | 'snapshot'>,
  board: Leaderboard,
  score: RankPosition,
): Promise<number> => {
  const { db } = ctx
  const isNearTop = (await countBetween(db, board, null, score, countLimited)) <= MAX_EXACT_RANK
  if (isNearTop) return 1 + (await countBetween(db, board, null, score, countActive))
  const { positions, inactive } = await checkpointsOf(ctx, board)
  const checkpoint = positions.findLast((one) => isBefore(one, score)) ?? null
  const countAtCheckpoint = checkpoint ? checkpoint.count - countUpTo(inactive, checkpoint) : 0
  return 1 + countAtCheckpoint + (await countBetween(db, board, checkpoint, score, countActive))
}
