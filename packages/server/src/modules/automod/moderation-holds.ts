import type { Actor, RequestInfo, WriteContext } from '../../core/context.ts'
import { type Db, statement, statementOne, statementValues } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import type { ModerationHold } from './screen-content.ts'

/** Statements on the hold of a feed or a comment. `held` is the condition on its id. */
const holdOf = (held: string, conflict: string) => ({
  store: statement(
    `insert into moderation_holds (feed_id, comment_id, reason, details, created_at) values ($1, $2, $3, $4, $5)
     on conflict ${conflict} do update set reason = excluded.reason, details = excluded.details`,
  ),
  find: statementOne<{ reason: string }>(`select reason from moderation_holds where ${held}`),
  release: statementOne<{ reason: string }>(`delete from moderation_holds where ${held} returning reason`),
})
const HOLDS = {
  feed: holdOf('feed_id = $1 and comment_id is null', '(feed_id) where comment_id is null'),
  comment: holdOf('comment_id = $1', '(comment_id)'),
}
const reconcileReports = statementValues<number>(
  `update reports set status = 'dismissed', moderator_id = $3, updated_at = $4
   where object_type = $1 and object_id = $2 and status = 'pending' returning id`,
)

/** Moves the reports about a feed and its comments to its new space, whose moderators now handle them. */
export const moveReports = statement(
  `update reports set space_id = $2 where id in (select id from reports where object_type = 'feed' and object_id = $1
     union all select r.id from comments c join reports r on r.object_type = 'comment' and r.object_id = c.id where c.post_id = $1)`,
)

const HELD = new Set(['pending', 'spam'])
export const isModerationHold = (status: string): boolean => HELD.has(status)

interface HeldObject {
  readonly feedId: number
  readonly authorId: number
  /** Undefined: the feed itself. */
  readonly commentId?: number
}

const pieceOf = ({ feedId, commentId }: Pick<HeldObject, 'feedId' | 'commentId'>) =>
  commentId === undefined ? { type: 'feed' as const, id: feedId } : { type: 'comment' as const, id: commentId }

interface Change {
  readonly before: string | null
  readonly after: string
  /** The reason of an automatic hold; undefined if a moderator held it. */
  readonly hold?: Pick<ModerationHold, 'reason' | 'details'> | null | undefined
}

export const reasonOf = async (db: Db, object: Omit<HeldObject, 'authorId'>): Promise<string | undefined> => {
  const { type, id } = pieceOf(object)
  return (await HOLDS[type].find(db, [id]))?.reason
}

/** Content held because of reports cannot be released by its author, except by administrators. */
export const mayRelease = async ({ db, actor }: { db: Db; actor: Pick<Actor, 'id' | 'role'> }, object: HeldObject): Promise<boolean> =>
  actor.role === 'admin' || object.authorId !== actor.id || (await reasonOf(db, object)) !== 'reports'

/** Audits that someone held or released content. Automatic holds are not audited as anyone's decision. */
const auditHold = (ctx: HoldContext, object: HeldObject, after: string, reason: string) => {
  const { type, id } = pieceOf(object)
  const verb = after === 'published' ? 'approved' : HELD.has(after) ? 'held' : 'returned'
  const details = { reason, ...(type === 'comment' && { feed_id: object.feedId }), author_id: object.authorId }
  return audit(ctx, `${type}.${verb}`, { object_type: type, object_id: id, details })
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
export const updateModerationHold = async (ctx: HoldContext, object: HeldObject, { before, after, hold }: Change): Promise<void> => {
  const { db, now } = ctx
  const { feedId, commentId, authorId } = object
  const { type, id } = pieceOf(object)
  const [wasHeld, isHeldNow] = [before !== null && HELD.has(before), HELD.has(after)]
  if (isHeldNow && (!wasHeld || hold)) {
    const { reason, details }: NonNullable<Change['hold']> = hold ?? { reason: 'moderator', details: {} }
    await HOLDS[type].store(db, [feedId, commentId ?? null, reason, JSON.stringify(details), now])
  }
  if (isHeldNow && !wasHeld && !hold) {
    await auditHold(ctx, object, after, 'moderator')
    const by = before === 'published' && ctx.actor?.id !== authorId ? ctx.actor?.id : undefined
    const hidden = { feed_id: feedId, comment_id: commentId, user_id: authorId }
    if (by !== undefined) await ctx.enqueue(NOTIFY_HIDDEN, { ...hidden, moderator_id: by } satisfies HiddenByHand)
  }
  if (!wasHeld || isHeldNow) return
  const held = await HOLDS[type].release(db, [id])
  await auditHold(ctx, object, after, held?.reason ?? 'moderator')
  if (after !== 'published') return
  for (const report of await reconcileReports(db, [type, id, ctx.actor?.id ?? null, now]))
    await ctx.emit('report.updated', { report_id: report })
}
