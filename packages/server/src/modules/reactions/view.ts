import type { Infer, Reaction, ReactionType, ReactionWithProfile } from '@lyceum/contract'
import { PERSON_COLUMNS, type PersonColumns, viewXprofile } from '../members/view.ts'

export { commentReactionCounts, feedReactionCounts, type ReactionCount } from './counts.ts'

export interface ReactionColumns {
  readonly id: number
  readonly user_id: number
  readonly feed_id: number
  readonly comment_id: number | null
  readonly type: ReactionType
  readonly ip_address: string
  readonly created_at: string
  readonly updated_at: string
}

export type ReactionFor = ReactionColumns & PersonColumns

/** Columns of a reaction with its author; the tables are `r` and `u`. */
export const REACTION_COLUMNS = `r.id, r.user_id, r.feed_id, r.comment_id, r.type, r.ip_address, r.created_at, r.updated_at, ${PERSON_COLUMNS}`
export const REACTION_TABLES = 'reactions r join users u on u.id = r.user_id'

/** Converts a reaction row to the reaction of the API. The IP address is shown only to its author. */
export const viewReaction = (row: ReactionColumns, viewerId: number): Infer<typeof Reaction> => ({
  id: row.id,
  user_id: row.user_id,
  object_id: row.comment_id ?? row.feed_id,
  parent_id: row.comment_id === null ? null : row.feed_id,
  object_type: row.comment_id === null ? 'feed' : 'comment',
  type: row.type,
  ip_address: row.user_id === viewerId ? row.ip_address : '',
  created_at: row.created_at,
  updated_at: row.updated_at,
})

export const viewReactionWithProfile = (row: ReactionFor, viewerId: number): Infer<typeof ReactionWithProfile> => ({
  ...viewReaction(row, viewerId),
  xprofile: viewXprofile(row),
})
