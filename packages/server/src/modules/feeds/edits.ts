import type { WriteRequest } from '../../core/context.ts'
import { audit } from '../audit/index.ts'
import { isModerationHold } from '../automod/index.ts'
import { recordModeratorEdit } from '../revisions/index.ts'
import type { Draft } from './draft.ts'
import { type FeedFor, parseMeta } from './feed-row.ts'
import {
  AUDITED_FIELDS,
  contentFields,
  type Fields,
  SCREENED_FIELDS,
  SEARCHED_FIELDS,
  type StoredField,
  type StoredFields,
} from './fields.ts'
import type { Meta } from './meta.ts'

/** Meta keys that classify or configure a feed and are not part of its content. */
const NON_CONTENT_KEYS = ['topic_ids', 'comments_disabled'] as const

const contentMeta = (meta: Meta): Meta =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => !(NON_CONTENT_KEYS as readonly string[]).includes(key)))

const contentOf = (feed: FeedFor | Draft, meta: Meta) => contentFields({ ...feed, meta: contentMeta(meta) })

const contentBefore = (feed: FeedFor) => contentOf(feed, parseMeta(feed.meta))
const contentAfter = (draft: Draft) => contentOf(draft, draft.meta)

/** Whether a change affects the content, as opposed to location or presentation. */
export const changesContent = (feed: FeedFor, draft: Draft): boolean =>
  JSON.stringify(contentBefore(feed)) !== JSON.stringify(contentAfter(draft))

const sameIn = (fields: readonly StoredField[], before: StoredFields, after: Fields): boolean => {
  const values = (feed: object) => JSON.stringify(fields.map((field) => (feed as Record<string, unknown>)[field]))
  return values({ ...before, meta: parseMeta(before.meta) }) === values(after)
}

/** Whether a change affects what full-text search finds. */
export const changesText = (before: StoredFields, after: Fields): boolean => !sameIn(SEARCHED_FIELDS, before, after)

/** Whether a change affects what automatic moderation reads. */
export const changesScreened = (before: StoredFields, after: Fields): boolean => !sameIn(SCREENED_FIELDS, before, after)

/** The `edited_*` fields after a change. Changes by the author before publication do not count as edits. */
export const editFieldsOf = (feed: FeedFor, edited: boolean, { byAuthor, now }: { byAuthor: boolean; now: string }) => {
  if (!edited) return { edited_at: feed.edited_at, edited_by_moderator: feed.edited_by_moderator }
  const unpublished = feed.status === 'draft' || feed.status === 'scheduled'
  return { edited_at: byAuthor && unpublished ? feed.edited_at : now, edited_by_moderator: byAuthor ? (0 as const) : (1 as const) }
}

const changedFields = (feed: FeedFor, after: Draft & Pick<FeedFor, 'space_id'>): string[] => {
  const before = parseMeta(feed.meta)
  const byHold = isModerationHold(feed.status) || isModerationHold(after.status)
  return [
    ...AUDITED_FIELDS.filter((field) => feed[field] !== after[field] && !(field === 'status' && byHold)),
    ...(before['comments_disabled'] === after.meta['comments_disabled'] ? [] : ['comments_disabled']),
    ...(after.topic_ids === undefined ? [] : ['topic_ids']),
  ]
}

/**
 * Audits changes to another member's feed, and pinning by anyone. `reason` is set if the content was edited; the edit is then recorded as a
 * revision.
 */
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
