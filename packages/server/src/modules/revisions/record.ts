import { createHash } from 'node:crypto'
import { EDIT_REASON } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { insertReturningId } from '../../db/index.ts'
import { audit } from '../audit/index.ts'

/** What somebody published: the part of a feed or comment that only its author should write. */
interface Content {
  readonly title?: string
  readonly message: string
  readonly content_type: string
  readonly meta: Readonly<Record<string, unknown>>
}

/** The job that tells an author that a moderator edited their content. */
export const EDITED_BY_MODERATOR = 'moderation.tell_edited'
export interface EditedByModerator {
  readonly feed_id: number
  readonly comment_id?: number | undefined
  readonly user_id: number
  readonly moderator_id: number
  /** The id of the revision that keeps what was written before. */
  readonly revision_id: number
  readonly reason: string
}

export interface ModeratorEdit {
  readonly feedId: number
  /** Undefined: the feed itself. */
  readonly commentId?: number
  readonly authorId: number
  readonly reason: string
  readonly before: Content
  readonly after: Content
}

const insert = insertReturningId(
  `insert into content_revisions (feed_id, comment_id, author_id, editor_id, reason, title, message, content_type, meta, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

/** The reason on record for an edit: as given, or the standard one. @throws invalid_data where it is too short */
export const editorialReason = (given: string | null | undefined): string => {
  const reason = given?.trim() ?? ''
  if (reason === '') return EDIT_REASON.standard
  if ([...reason].length < EDIT_REASON.min) throw invalidField('reason', `must have at least ${EDIT_REASON.min} characters`)
  return reason
}

const hashOf = ({ title = '', message, content_type, meta }: Content): string =>
  createHash('sha256')
    .update(JSON.stringify([title, message, content_type, meta]))
    .digest('hex')

const FIELDS = ['title', 'message', 'content_type', 'meta'] as const
const changedFields = (before: Content, after: Content): string[] =>
  FIELDS.filter((field) => JSON.stringify(before[field] ?? '') !== JSON.stringify(after[field] ?? ''))

/**
 * Keeps what an author wrote before somebody else edited it, audits the edit and tells the author. The log gets hashes: it must not keep
 * texts that their author may delete.
 */
export const recordModeratorEdit = async (ctx: WriteRequest, edit: ModeratorEdit): Promise<void> => {
  const { feedId, commentId, authorId, reason, before, after } = edit
  const { db, actor, now } = ctx
  const { title = '', message, content_type, meta } = before
  const id = await insert(db, [
    feedId,
    commentId ?? null,
    authorId,
    actor.id,
    reason,
    title,
    message,
    content_type,
    JSON.stringify(meta),
    now,
  ])
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
  const told: EditedByModerator = {
    feed_id: feedId,
    comment_id: commentId,
    user_id: authorId,
    moderator_id: actor.id,
    revision_id: id,
    reason,
  }
  await ctx.enqueue(EDITED_BY_MODERATOR, told)
}
