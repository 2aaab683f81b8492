import type { Infer, Reaction, ReactionType, ReactionWithProfile } from '@lyceum/contract'
import { type Db, type ReactionRow, statementIn } from '../../db/index.ts'
import { pick } from '../../util/pick.ts'
import { PERSON_COLUMNS, type PersonColumns, viewXprofile } from '../members/view.ts'

export type ReactionColumns = Readonly<ReactionRow> & { readonly type: ReactionType }
export type ReactionFor = ReactionColumns & PersonColumns

/** Columns of a reaction with its author; the tables are `r` and `u`. */
export const REACTION_COLUMNS = `r.id, r.user_id, r.feed_id, r.comment_id, r.type, r.ip_address, r.created_at, r.updated_at, ${PERSON_COLUMNS}`
export const REACTION_TABLES = 'reactions r join users u on u.id = r.user_id'

/** Converts a reaction row to the reaction of the API. The IP address is shown only to its author. */
export const viewReaction = (row: ReactionColumns, viewerId: number): Infer<typeof Reaction> => ({
  ...pick(row, 'id', 'user_id', 'type', 'created_at', 'updated_at'),
  object_id: row.comment_id ?? row.feed_id,
  parent_id: row.comment_id === null ? 0 : row.feed_id,
  object_type: row.comment_id === null ? 'feed' : 'comment',
  ip_address: row.user_id === viewerId ? row.ip_address : '',
})

export const viewReactionWithProfile = (row: ReactionFor, viewerId: number): Infer<typeof ReactionWithProfile> => ({
  ...viewReaction(row, viewerId),
  xprofile: viewXprofile(row),
})

export type ReactionCount = Pick<ReactionColumns, 'type'> & { readonly count: number }
type CountRow = ReactionCount & { readonly id: number }

const countByFeed = statementIn<CountRow>(
  (list) =>
    `select feed_id as id, type, count(*) as count from reactions where comment_id is null and feed_id in (${list}) group by feed_id, type`,
)
const countByComment = statementIn<CountRow>(
  (list) => `select comment_id as id, type, count(*) as count from reactions where comment_id in (${list}) group by comment_id, type`,
)

/** Reaction counts by type, most common type first. */
const countsOf =
  (count: typeof countByFeed) =>
  async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly ReactionCount[]>> => {
    const rows = (await count(db, ids)).sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
    return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, found]) => [id, found.map((row) => pick(row, 'type', 'count'))]))
  }
export const feedReactionCounts = countsOf(countByFeed)
export const commentReactionCounts = countsOf(countByComment)
