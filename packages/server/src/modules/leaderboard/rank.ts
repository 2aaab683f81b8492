import type { ReadContext } from '../../core/context.ts'
import { type Db, type Placeholder, parameters, runText } from '../../db/index.ts'
import type { Board } from './queries.ts'
import { type BoardPosition, type Checkpoints, checkpointsOf, isBefore } from './rank-checkpoints.ts'

/** Up to this rank, the entries above are counted exactly. */
const MAX_EXACT_RANK = 2000

const boardCondition = ({ periodId, spaceId }: Board, p: Placeholder) => `s.period_id = ${p(periodId)} and s.space_id = ${p(spaceId)}`

const numberOf = async (db: Db, text: string, values: readonly number[]) => (await runText<{ n: number }>(db, text, values))[0]?.n ?? 0

/** The number of entries above, active or not, counted up to the limit. */
const countAbove = (db: Db, board: Board, { points, user_id }: BoardPosition): Promise<number> => {
  const { values, p } = parameters()
  const on = boardCondition(board, p)
  const most = p(MAX_EXACT_RANK + 1)
  const some = (condition: string) => `(select count(*) from (select 1 from period_scores s where ${on} and ${condition} limit ${most}) p1)`
  const text = `select ${some(`s.points > ${p(points)}`)} + ${some(`s.points = ${p(points)} and s.user_id < ${p(user_id)}`)} as n`
  return numberOf(db, text, values as number[])
}

/** The number of active users between two positions; null means from the top. Each part reads a range of the order index. */
const countBetween = (db: Db, board: Board, from: BoardPosition | null, to: BoardPosition): Promise<number> => {
  const { values, p } = parameters()
  const on = boardCondition(board, p)
  const listed = (condition: string) =>
    `(select count(*) from period_scores s cross join users u where ${on} and ${condition} and u.id = s.user_id and u.status = 'active')`
  const points = p(to.points)
  const before = `s.points = ${points} and s.user_id < ${p(to.user_id)}`
  const parts = !from
    ? [`s.points > ${points}`, before]
    : from.points === to.points
      ? [`${before} and s.user_id > ${p(from.user_id)}`]
      : [`s.points = ${p(from.points)} and s.user_id > ${p(from.user_id)}`, `s.points < ${p(from.points)} and s.points > ${points}`, before]
  return numberOf(db, `select ${parts.map(listed).join(' + ')} as n`, values as number[])
}

/** The number of entries in an ordered list up to and including `key`. */
const countUpTo = (list: readonly BoardPosition[], key: BoardPosition): number => {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const one = list[middle]
    if (one && !isBefore(key, one)) low = middle + 1
    else high = middle
  }
  return low
}

/** The rank of a score: starts from the nearest checkpoint above and counts the rest. */
export const rankByCheckpoints = async (
  db: Db,
  board: Board,
  { positions, inactive }: Checkpoints,
  score: BoardPosition,
): Promise<number> => {
  const checkpoint = positions[countUpTo(positions, { points: score.points, user_id: score.user_id - 1 }) - 1]
  const countAtCheckpoint = checkpoint ? checkpoint.count - countUpTo(inactive, checkpoint) : 0
  return 1 + countAtCheckpoint + (await countBetween(db, board, checkpoint ?? null, score))
}

/** The rank of a score on a board: exact near the top; further down, the count up to the nearest checkpoint may be some minutes old. */
export const rankOf = async (
  ctx: Pick<ReadContext, 'db' | 'services' | 'snapshot'>,
  board: Board,
  score: BoardPosition,
): Promise<number> => {
  const { db } = ctx
  if ((await countAbove(db, board, score)) <= MAX_EXACT_RANK) return 1 + (await countBetween(db, board, null, score))
  return rankByCheckpoints(db, board, await checkpointsOf(ctx, board), score)
}
