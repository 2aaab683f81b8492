import { createHash } from 'node:crypto'
import { EDIT_REASON, REVISED_FIELDS, type RevisedField } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { insertReturningId } from '../../db/index.ts'
import { audit } from '../audit/index.ts'

/** Published content: the part of a feed or comment that only its author should write. */
interface Content extends Readonly<Partial<Record<RevisedField, unknown>>> {
  readonly message: string
  readonly meta: Readonly<Record<string, unknown>>
}

/** The job that notifies an author that a moderator edited their content. */
export const NOTIFY_EDITED = 'moderation.tell_edited'
export interface EditedByModerator {
  readonly feed_id: number
  readonly comment_id?: number | undefined
  readonly user_id: number
  readonly moderator_id: number
  /** Id of the revision with the previous version. */
  readonly revision_id: number
  readonly reason: string
}

interface ModeratorEdit {
  readonly feedId: number
  /** Undefined: the feed itself. */
  readonly commentId?: number
  readonly authorId: number
  readonly reason: string
  readonly before: Content
  readonly after: Content
}

const insert = insertReturningId(
  `insert into content_revisions (feed_id, comment_id, author_id, editor_id, reason, created_at, ${REVISED_FIELDS.join(', ')})
   values ($1, $2, $3, $4, $5, $6, ${REVISED_FIELDS.map((_, i) => `$${i + 7}`).join(', ')})`,
)

/** The values of the revised fields. Comments have no title. */
const valuesOf = (content: Content): unknown[] => REVISED_FIELDS.map((field) => content[field] ?? (field === 'title' ? '' : null))
const storedValuesOf = (content: Content) =>
  valuesOf(content).map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | null)))

/** The reason to record for an edit: the given one, or the default. @throws invalid_data if it is too short */
export const editorialReason = (given: string | null | undefined): string => {
  const reason = given?.trim() ?? ''
  if (reason === '') return EDIT_REASON.standard
  if ([...reason].length < EDIT_REASON.min) throw invalidField('reason', `must have at least ${EDIT_REASON.min} characters`)
  return reason
}

const hashOf = (content: Content): string =>
  createHash('sha256')
    .update(JSON.stringify(valuesOf(content)))
    .digest('hex')

const changedFields = (before: Content, after: Content): string[] =>
  REVISED_FIELDS.filter((field) => JSON.stringify(before[field] ?? '') !== JSON.stringify(after[field] ?? ''))

/**
 * Stores the previous version of content edited by someone else, audits the edit and notifies the author. The audit log gets only hashes,
 * because authors may delete their texts.
 */
export const recordModeratorEdit = async (ctx: WriteRequest, edit: ModeratorEdit): Promise<void> => {
  const { feedId, commentId, authorId, reason, before, after } = edit
  const { db, actor, now } = ctx
  const id = await insert(db, [feedId, commentId ?? null, authorId, actor.id, reason, now, ...storedValuesOf(before)])
  const type = commentId === undefined ? 'feed' : 'comment'
  await audit(ctx, `${type}.edited`, {
    object_type: type,
    object_id: commentId ?? feedId,
    details: {
      ...(commentId !== undefined && { feed_id: feedId }),
      author_id: authorId,
      reason,
      fields: changedFields(before, after),
      before_sha256: hashOf(before),
      after_sha256: hashOf(after),
    },
  })
  const notification: EditedByModerator = {
    feed_id: feedId,
    comment_id: commentId,
    user_id: authorId,
    moderator_id: actor.id,
    revision_id: id,
    reason,
  }
  await ctx.enqueue(NOTIFY_EDITED, notification)
}
