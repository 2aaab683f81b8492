import type { Feed, Infer } from '@lyceum/contract'
import type { ReactionRow } from '../../db/index.ts'
import { pick } from '../../util/pick.ts'
import { type CommentFor, viewComment } from '../comments/view.ts'
import { type PersonColumns, viewXprofile } from '../members/view.ts'
import type { ReactionCount } from '../reactions/view.ts'
import type { FeedFor } from './feed-row.ts'

export type FeedView = Infer<typeof Feed>

export type ReactionPreview = Pick<ReactionRow, 'id' | 'user_id' | 'feed_id' | 'type' | 'created_at'> &
  Pick<PersonColumns, 'u_display_name' | 'u_avatar'>

export interface Embedded {
  readonly comments: readonly CommentFor[]
  readonly reactions: readonly ReactionPreview[]
  readonly counts: readonly ReactionCount[]
  readonly meta: Record<string, unknown>
  readonly terms: FeedView['terms']
}

export const permalink = (origin: string, { slug, s_slug }: Pick<FeedFor, 'slug' | 's_slug'>): string =>
  s_slug === null ? `${origin}/feeds/${slug}` : `${origin}/spaces/${s_slug}/feeds/${slug}`

const viewReaction = ({ u_display_name: display_name, u_avatar: avatar, ...row }: ReactionPreview): FeedView['reactions'][number] => ({
  ...pick(row, 'id', 'user_id', 'type', 'created_at'),
  xprofile: { user_id: row.user_id, display_name, avatar },
})

export const viewFeed = (row: FeedFor, { comments, reactions, counts, meta, terms }: Embedded, origin: string): FeedView => ({
  ...pick(row, 'id', 'user_id', 'title', 'slug', 'message', 'message_rendered', 'space_id', 'privacy', 'status'),
  ...pick(row, 'featured_image', 'comments_count', 'reactions_count', 'priority', 'expired_at', 'scheduled_at', 'created_at'),
  ...pick(row, 'updated_at', 'edited_at'),
  parent_id: row.parent_id ?? 0,
  type: row.type as FeedView['type'],
  content_type: row.content_type as FeedView['content_type'],
  meta,
  is_sticky: row.is_sticky === 1,
  edited_by_moderator: row.edited_by_moderator === 1,
  permalink: permalink(origin, row),
  xprofile: viewXprofile(row),
  space: row.space_id === null ? null : { id: row.space_id, title: row.s_title ?? '', slug: row.s_slug ?? '', type: row.s_type ?? '' },
  terms: [...terms],
  has_user_react: row.my_reaction,
  bookmarked: row.my_bookmark !== null,
  comments: comments.map((comment) => viewComment(comment, [])),
  reactions: reactions.map(viewReaction),
  reaction_types: [...counts],
})
