import type { Feed, Infer } from '@lyceum/contract'
import { type CommentFor, viewComment } from '../comments/view.ts'
import { viewXprofile } from '../members/view.ts'
import type { ReactionCount } from '../reactions/view.ts'
import type { FeedFor } from './feed-row.ts'

export type FeedView = Infer<typeof Feed>

export interface ReactionPreview {
  readonly id: number
  readonly user_id: number
  readonly feed_id: number
  readonly type: string
  readonly created_at: string
  readonly u_display_name: string
  readonly u_avatar: string
}

/** Data of the feed from other tables. */
export interface Embedded {
  readonly comments: readonly CommentFor[]
  readonly reactions: readonly ReactionPreview[]
  readonly counts: readonly ReactionCount[]
  readonly meta: Record<string, unknown>
  readonly terms: FeedView['terms']
}

export const permalink = (origin: string, { slug, s_slug }: Pick<FeedFor, 'slug' | 's_slug'>): string =>
  s_slug === null ? `${origin}/feeds/${slug}` : `${origin}/spaces/${s_slug}/feeds/${slug}`

const viewReaction = (row: ReactionPreview): FeedView['reactions'][number] => ({
  id: row.id,
  user_id: row.user_id,
  type: row.type,
  created_at: row.created_at,
  xprofile: { user_id: row.user_id, display_name: row.u_display_name, avatar: row.u_avatar },
})

/** Converts a feed row to the feed of the API. */
export const viewFeed = (row: FeedFor, { comments, reactions, counts, meta, terms }: Embedded, origin: string): FeedView => ({
  id: row.id,
  user_id: row.user_id,
  parent_id: row.parent_id,
  title: row.title,
  slug: row.slug,
  message: row.message,
  message_rendered: row.message_rendered,
  type: row.type as FeedView['type'],
  content_type: row.content_type as FeedView['content_type'],
  space_id: row.space_id,
  privacy: row.privacy,
  status: row.status,
  featured_image: row.featured_image,
  meta,
  is_sticky: row.is_sticky === 1,
  comments_count: row.comments_count,
  reactions_count: row.reactions_count,
  priority: row.priority,
  expired_at: row.expired_at,
  scheduled_at: row.scheduled_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  edited_at: row.edited_at,
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
