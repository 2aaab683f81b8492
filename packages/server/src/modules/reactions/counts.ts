import type { ReactionType } from '@lyceum/contract'
import { chunkPadded, type Db, statementIn } from '../../db/index.ts'

export interface ReactionCount {
  readonly type: ReactionType
  readonly count: number
}

type Row = ReactionCount & { readonly id: number }

const countByFeed = statementIn<Row>(
  (list) =>
    `select feed_id as id, type, count(*) as count from reactions where comment_id is null and feed_id in (${list(1)}) group by feed_id, type`,
)
const countByComment = statementIn<Row>(
  (list) => `select comment_id as id, type, count(*) as count from reactions where comment_id in (${list(1)}) group by comment_id, type`,
)

export type ReactionCounts = ReadonlyMap<number, readonly ReactionCount[]>

const countsOf = async (db: Db, count: typeof countByFeed, ids: readonly number[]): Promise<ReactionCounts> => {
  const parts = await Promise.all(chunkPadded(ids).map((part) => count(db, part.length, part)))
  const rows = parts.flat().sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
  const grouped = Map.groupBy(rows, ({ id }) => id)
  return new Map([...grouped].map(([id, found]) => [id, found.map(({ type, count: n }) => ({ type, count: n }))]))
}

/** Reaction counts by type for these feeds, most common type first. */
export const feedReactionCounts = (db: Db, feedIds: readonly number[]): Promise<ReactionCounts> => countsOf(db, countByFeed, feedIds)

/** Reaction counts by type for these comments. */
export const commentReactionCounts = (db: Db, commentIds: readonly number[]): Promise<ReactionCounts> =>
  countsOf(db, countByComment, commentIds)
