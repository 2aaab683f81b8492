import type { QueueReason } from '@lyceum/contract'
import type { Actor, RequestInfo, WriteContext } from '../../core/context.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import type { Hold } from './screen-content.ts'

const lockFeed = statement(
  `insert into moderation_holds (feed_id, reason, details, created_at) values ($1, $2, $3, $4)
   on conflict (feed_id) where comment_id is null do update set reason = excluded.reason, details = excluded.details`,
)
const lockComment = statement(
  `insert into moderation_holds (feed_id, comment_id, reason, details, created_at) values ($1, $2, $3, $4, $5)
   on conflict (comment_id) do update set reason = excluded.reason, details = excluded.details`,
)
const releaseFeed = statement<{ reason: string }>('delete from moderation_holds where feed_id = $1 and comment_id is null returning reason')
const releaseComment = statement<{ reason: string }>('delete from moderation_holds where comment_id = $1 returning reason')
const reconcileReports = statement<{ id: number }>(
  `update reports set status = 'dismissed', moderator_id = $3, updated_at = $4
   where object_type = $1 and object_id = $2 and status = 'pending' returning id`,
)

const moveFeedReports = statement(`update reports set space_id = $2 where object_type = 'feed' and object_id = $1`)
const moveCommentReports = statement(
  `update reports set space_id = $2 where id in (
     select r.id from comments c join reports r on r.object_type = 'comment' and r.object_id = c.id where c.post_id = $1)`,
)

/** Moves the reports about a feed and its comments to its new space, whose moderators now handle them. */
export const moveReports = async (db: Db, feedId: number, spaceId: number | null): Promise<void> => {
  await moveFeedReports(db, [feedId, spaceId])
  await moveCommentReports(db, [feedId, spaceId])
}

const HELD = new Set(['pending', 'spam'])
export const isHeld = (status: string): boolean => HELD.has(status)

interface HeldObject {
  readonly feedId: number
  readonly authorId: number
  /** Undefined: the feed itself. */
  readonly commentId?: number
}

interface Change {
  readonly before: string | null
  readonly after: string
  /** The reason of an automatic hold; undefined if a moderator held it. */
  readonly hold?: Pick<Hold, 'reason' | 'details'> | null | undefined
}

const storeHold = async (db: Db, { feedId, commentId }: HeldObject, reason: QueueReason, details: object, now: string): Promise<void> => {
  if (commentId === undefined) await lockFeed(db, [feedId, reason, JSON.stringify(details), now])
  else await lockComment(db, [feedId, commentId, reason, JSON.stringify(details), now])
}

const feedHold = statementOne<{ reason: string }>('select reason from moderation_holds where feed_id = $1 and comment_id is null')
const commentHold = statementOne<{ reason: string }>('select reason from moderation_holds where comment_id = $1')

/** The reason of the hold; undefined if it is not held. */
export const reasonOf = async (db: Db, { feedId, commentId }: Omit<HeldObject, 'authorId'>): Promise<string | undefined> =>
  (commentId === undefined ? await feedHold(db, [feedId]) : await commentHold(db, [commentId]))?.reason

/** Content held because of reports cannot be released by its author, except by administrators. */
export const mayRelease = async ({ db, actor }: { db: Db; actor: Pick<Actor, 'id' | 'role'> }, object: HeldObject): Promise<boolean> =>
  actor.role === 'admin' || object.authorId !== actor.id || (await reasonOf(db, object)) !== 'reports'

/** Audits that someone held or released content. Automatic holds are not audited as anyone's decision. */
const auditHold = (ctx: HoldContext, { feedId, commentId, authorId }: HeldObject, after: string, reason: string) => {
  const type = commentId === undefined ? 'feed' : 'comment'
  const verb = after === 'published' ? 'approved' : HELD.has(after) ? 'held' : 'returned'
  const details = { reason, ...(commentId !== undefined && { feed_id: feedId }), author_id: authorId }
  return audit(ctx, `${type}.${verb}`, { object_type: type, object_id: commentId ?? feedId, details })
}

/** The job that notifies an author that a moderator hid their content. */
export const NOTIFY_HIDDEN = 'moderation.tell_hidden'
export interface HiddenByHand {
  readonly feed_id: number
  readonly comment_id?: number | undefined
  readonly user_id: number
  readonly moderator_id: number
}

type HoldContext = WriteContext & { readonly actor?: { readonly id: number } | null; readonly request?: RequestInfo }

/**
 * Updates the moderation queue after a change of status. Call this wherever the status of a feed or comment is saved. Publishing held
 * content dismisses the open reports about it.
 */
export const resolveHold = async (ctx: HoldContext, object: HeldObject, { before, after, hold }: Change): Promise<void> => {
  const { db, now } = ctx
  const [wasHeld, isHeldNow] = [before !== null && HELD.has(before), HELD.has(after)]
  if (isHeldNow && (!wasHeld || hold)) await storeHold(db, object, hold?.reason ?? 'moderator', hold?.details ?? {}, now)
  if (isHeldNow && !wasHeld && !hold) {
    await auditHold(ctx, object, after, 'moderator')
    const { feedId: feed_id, commentId: comment_id, authorId: user_id } = object
    const by = before === 'published' && ctx.actor && ctx.actor.id !== user_id ? ctx.actor.id : null
    if (by !== null) await ctx.enqueue(NOTIFY_HIDDEN, { feed_id, comment_id, user_id, moderator_id: by } satisfies HiddenByHand)
  }
  if (!wasHeld || isHeldNow) return
  const [held] = object.commentId === undefined ? await releaseFeed(db, [object.feedId]) : await releaseComment(db, [object.commentId])
  await auditHold(ctx, object, after, held?.reason ?? 'moderator')
  if (after !== 'published') return
  const of = object.commentId === undefined ? (['feed', object.feedId] as const) : (['comment', object.commentId] as const)
  for (const { id } of await reconcileReports(db, [...of, ctx.actor?.id ?? null, now])) await ctx.emit('report.updated', { report_id: id })
}
