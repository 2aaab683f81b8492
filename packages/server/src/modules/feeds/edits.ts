import type { WriteRequest } from '../../core/context.ts'
import { audit } from '../audit/index.ts'
import { isHeld } from '../automod/index.ts'
import { recordModeratorEdit } from '../revisions/index.ts'
import type { Draft } from './draft.ts'
import type { FeedFor } from './feed-row.ts'
import { type Meta, parseMeta } from './meta.ts'

/** Keys of the meta that say where a feed is sorted and what may be done there, not what it says. */
const NO_CONTENT = ['topic_ids', 'comments_disabled'] as const

const spoken = (meta: Meta): Meta =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => !(NO_CONTENT as readonly string[]).includes(key)))

const contentOf = ({ title, message, content_type }: FeedFor | Draft, meta: Meta) => ({ title, message, content_type, meta: spoken(meta) })

export const contentBefore = (feed: FeedFor) => contentOf(feed, parseMeta(feed.meta))
export const contentAfter = (draft: Draft) => contentOf(draft, draft.meta)

/** Whether a change touches what the feed says, as opposed to where it stands and how it is shown. */
export const changesContent = (feed: FeedFor, draft: Draft): boolean =>
  JSON.stringify(contentBefore(feed)) !== JSON.stringify(contentAfter(draft))

/** The marks of an edit. What is not published yet is not edited: it is still being written. */
export const editMarks = (feed: FeedFor, edited: boolean, { byAuthor, now }: { byAuthor: boolean; now: string }) => {
  if (!edited) return { edited_at: feed.edited_at, edited_by_moderator: feed.edited_by_moderator }
  const unpublished = feed.status === 'draft' || feed.status === 'scheduled'
  return { edited_at: byAuthor && unpublished ? feed.edited_at : now, edited_by_moderator: byAuthor ? (0 as const) : (1 as const) }
}

const COMPARED = ['space_id', 'status', 'type', 'featured_image', 'priority', 'scheduled_at', 'expired_at'] as const

const changedFields = (feed: FeedFor, after: Draft & Pick<FeedFor, 'space_id'>): string[] => {
  const before = parseMeta(feed.meta)
  const byHold = isHeld(feed.status) || isHeld(after.status)
  return [
    ...COMPARED.filter((field) => feed[field] !== after[field] && !(field === 'status' && byHold)),
    ...(before['comments_disabled'] === after.meta['comments_disabled'] ? [] : ['comments_disabled']),
    ...(after.topic_ids === undefined ? [] : ['topic_ids']),
  ]
}

/** Puts on record what was done to somebody else's feed, and what was pinned, whoever wrote it. `reason`: the content was edited. */
export const recordChanges = async (
  ctx: WriteRequest,
  feed: FeedFor,
  after: Draft & Pick<FeedFor, 'space_id'>,
  reason: string | null,
): Promise<void> => {
  const { id, user_id: author_id } = feed
  const { space_id } = after
  const object = { object_type: 'feed', object_id: id }
  if (after.is_sticky !== feed.is_sticky)
    await audit(ctx, after.is_sticky ? 'feed.pinned' : 'feed.unpinned', { ...object, details: { author_id, space_id } })
  if (author_id === ctx.actor.id) return
  const fields = changedFields(feed, after)
  if (fields.length > 0) await audit(ctx, 'feed.changed', { ...object, details: { author_id, space_id, fields } })
  if (reason !== null)
    await recordModeratorEdit(ctx, { feedId: id, authorId: author_id, reason, before: contentBefore(feed), after: contentAfter(after) })
}
