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

const moveOwn = statement(`update reports set space_id = $2 where object_type = 'feed' and object_id = $1`)
const moveBelow = statement(
  `update reports set space_id = $2 where id in (
     select r.id from comments c join reports r on r.object_type = 'comment' and r.object_id = c.id where c.post_id = $1)`,
)

/** Reports about a feed, and about what stands under it, are dealt with by those who decide where it stands now. */
export const moveReports = async (db: Db, feedId: number, spaceId: number | null): Promise<void> => {
  await moveOwn(db, [feedId, spaceId])
  await moveBelow(db, [feedId, spaceId])
}

const HELD = new Set(['pending', 'spam'])
export const isHeld = (status: string): boolean => HELD.has(status)

export interface HeldObject {
  readonly feedId: number
  readonly authorId: number
  /** Undefined: it is the feed itself. */
  readonly commentId?: number
}

interface Change {
  readonly before: string | null
  readonly after: string
  /** Why it is held; undefined: by hand. */
  readonly hold?: Pick<Hold, 'reason' | 'details'> | null | undefined
}

const keep = async (db: Db, { feedId, commentId }: HeldObject, reason: QueueReason, details: object, now: string): Promise<void> => {
  if (commentId === undefined) await lockFeed(db, [feedId, reason, JSON.stringify(details), now])
  else await lockComment(db, [feedId, commentId, reason, JSON.stringify(details), now])
}

const feedHold = statementOne<{ reason: string }>('select reason from moderation_holds where feed_id = $1 and comment_id is null')
const commentHold = statementOne<{ reason: string }>('select reason from moderation_holds where comment_id = $1')

/** Why it is held; undefined: it is not. */
export const reasonOf = async (db: Db, { feedId, commentId }: Omit<HeldObject, 'authorId'>): Promise<string | undefined> =>
  (commentId === undefined ? await feedHold(db, [feedId]) : await commentHold(db, [commentId]))?.reason

/** What people reported is not let go by who wrote it, unless he is an administrator. */
export const mayRelease = async ({ db, actor }: { db: Db; actor: Pick<Actor, 'id' | 'role'> }, object: HeldObject): Promise<boolean> =>
  actor.role === 'admin' || object.authorId !== actor.id || (await reasonOf(db, object)) !== 'reports'

/** Puts on record that somebody held something back, or let it go; what a rule or a threshold does is nobody's decision. */
const record = (ctx: Deciding, { feedId, commentId, authorId }: HeldObject, after: string, reason: string) => {
  const type = commentId === undefined ? 'feed' : 'comment'
  const verb = after === 'published' ? 'approved' : HELD.has(after) ? 'held' : 'returned'
  const details = { reason, ...(commentId !== undefined && { feed_id: feedId }), author_id: authorId }
  return audit(ctx, `${type}.${verb}`, { object_type: type, object_id: commentId ?? feedId, details })
}

/** The job that tells an author that a moderator took something of his out of sight. */
export const HIDDEN_BY_HAND = 'moderation.tell_hidden'
export interface HiddenByHand {
  readonly feed_id: number
  readonly comment_id?: number | undefined
  readonly user_id: number
  readonly moderator_id: number
}

type Deciding = WriteContext & { readonly actor?: { readonly id: number } | null; readonly request?: RequestInfo }

/**
 * Brings the list of what waits for a decision in line with a change of status; to be called wherever the status of a feed or comment is
 * saved. Who publishes what was held answers the open reports about it: they are dismissed.
 */
export const resolveHold = async (ctx: Deciding, object: HeldObject, { before, after, hold }: Change): Promise<void> => {
  const { db, now } = ctx
  const [was, is] = [before !== null && HELD.has(before), HELD.has(after)]
  if (is && (!was || hold)) await keep(db, object, hold?.reason ?? 'moderator', hold?.details ?? {}, now)
  if (is && !was && !hold) {
    await record(ctx, object, after, 'moderator')
    const { feedId: feed_id, commentId: comment_id, authorId: user_id } = object
    const by = before === 'published' && ctx.actor && ctx.actor.id !== user_id ? ctx.actor.id : null
    if (by !== null) await ctx.enqueue(HIDDEN_BY_HAND, { feed_id, comment_id, user_id, moderator_id: by } satisfies HiddenByHand)
  }
  if (!was || is) return
  const [held] = object.commentId === undefined ? await releaseFeed(db, [object.feedId]) : await releaseComment(db, [object.commentId])
  await record(ctx, object, after, held?.reason ?? 'moderator')
  if (after !== 'published') return
  const of = object.commentId === undefined ? (['feed', object.feedId] as const) : (['comment', object.commentId] as const)
  for (const { id } of await reconcileReports(db, [...of, ctx.actor?.id ?? null, now])) await ctx.emit('report.updated', { report_id: id })
}
