import { type Database, type Db, type Placeholder, parameters, runText } from '../../db/index.ts'
import type { Board } from './queries.ts'
import { isBefore, type Key, type Marks, marksOf } from './rank-checkpoints.ts'

/** Up to this place it is counted who stands before. */
const COUNTED = 2000

const boardIs = ({ window, spaceId }: Board, p: Placeholder) => `s.period_id = ${p(window)} and s.space_id = ${p(spaceId)}`

const numberOf = async (db: Db, text: string, values: readonly number[]) => (await runText<{ n: number }>(db, text, values))[0]?.n ?? 0

/** How many entries stand before, listed or not; `COUNTED` + 1 or more where they are more. */
const countNear = (db: Db, board: Board, { points, user_id }: Key): Promise<number> => {
  const { values, p } = parameters()
  const on = boardIs(board, p)
  const most = p(COUNTED + 1)
  const some = (condition: string) => `(select count(*) from (select 1 from period_scores s where ${on} and ${condition} limit ${most}) p1)`
  const text = `select ${some(`s.points > ${p(points)}`)} + ${some(`s.points = ${p(points)} and s.user_id < ${p(user_id)}`)} as n`
  return numberOf(db, text, values as number[])
}

/** How many who are listed stand between two places; null: from the top. Each part is a piece of the index that holds the order. */
const countBetween = (db: Db, board: Board, from: Key | null, to: Key): Promise<number> => {
  const { values, p } = parameters()
  const on = boardIs(board, p)
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

/** How many of a list in the board's order do not stand behind `key`. */
const countUpTo = (list: readonly Key[], key: Key): number => {
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

/** The place of a score by marks: what stands up to the nearest one before it is known, the rest is counted. */
export const rankByMarks = async (db: Db, board: Board, { places, inactive }: Marks, score: Key): Promise<number> => {
  const mark = places[countUpTo(places, { points: score.points, user_id: score.user_id - 1 }) - 1]
  const known = mark ? mark.count - countUpTo(inactive, mark) : 0
  return 1 + known + (await countBetween(db, board, mark ?? null, score))
}

/**
 * The place of a score on a board: among the first of it as it is now; further behind what stands before the nearest mark may be a minute
 * old.
 */
export const rankOf = async (database: Database, db: Db, board: Board, score: Key, now: string): Promise<number> => {
  if ((await countNear(db, board, score)) <= COUNTED) return 1 + (await countBetween(db, board, null, score))
  return rankByMarks(db, board, await marksOf(database, board, now), score)
}
