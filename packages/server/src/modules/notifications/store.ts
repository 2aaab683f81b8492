import type { NotificationType } from '@lyceum/contract'
import { type Db, statement, statementFor, statementOne } from '../../db/index.ts'
import type { WriteContext } from '../../platform/context.ts'
import type { NoticeMeta } from './view.ts'

/** Something to tell somebody. Of one subject a person is told once. */
export interface Notice {
  /** The recipient. */
  readonly userId: number
  readonly type: NotificationType
  /** What it is about, such as `mention:feed:7`. */
  readonly subject: string
  readonly objectType: 'feed' | 'comment' | 'space' | 'user' | 'course' | 'lesson' | 'report'
  readonly objectId: number
  /** Who did it. */
  readonly actorId: number
  /** Where it stands: the recipient is told as long as he may see all of these. */
  readonly spaceId?: number | null
  readonly feedId?: number | null
  readonly commentId?: number | null
  /** The comment that it was done with. */
  readonly causeCommentId?: number | null
  readonly meta?: NoticeMeta
}

const COLUMNS = 'user_id, type, subject, object_id, object_type, space_id, feed_id, comment_id, meta, created_at, updated_at'
const VALUES = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10'

const insert = statementOne<{ id: number }>(
  `insert into notifications (${COLUMNS}) values (${VALUES}) on conflict (user_id, subject) where open = 1 do nothing returning id`,
)
const insertOrRefresh = statementOne<{ id: number }>(
  `insert into notifications (${COLUMNS}) values (${VALUES}) on conflict (user_id, subject) where open = 1
   do update set created_at = excluded.created_at, updated_at = excluded.updated_at returning id`,
)
const insertCause = statement(
  `insert into notification_causes (notification_id, actor_id, comment_id, created_at) values ($1, $2, $3, $4)
   on conflict (notification_id, actor_id, coalesce(comment_id, 0)) do nothing`,
)
const causesOf = ['open = 1', 'open = 0'].map((state) =>
  statement<{ id: number; notification_id: number; is_read: 0 | 1 }>(
    `select k.id, k.notification_id, n.is_read from notifications n join notification_causes k on k.notification_id = n.id
     where n.user_id = $1 and n.subject = $2 and n.${state} and k.actor_id = $3 and coalesce(k.comment_id, 0) = $4`,
  ),
)
const deleteCause = statement('delete from notification_causes where id = $1')
const deleteBare = statementOne<{ id: number }>(
  `delete from notifications where id = $1 and not exists (select 1 from notification_causes where notification_id = $1) returning id`,
)
const reopen = statementOne<{ id: number }>(
  `update notifications set created_at = $3, updated_at = $3, is_read = 0, read_at = null, removed = 0
   where user_id = $1 and subject = $2 and open = 1 and created_at < $4 returning id`,
)
const forgetCauses = statement('delete from notification_causes where notification_id = $1')

const valuesOf = (notice: Notice, now: string) => [
  notice.userId,
  notice.type,
  notice.subject,
  notice.objectId,
  notice.objectType,
  notice.spaceId ?? null,
  notice.feedId ?? null,
  notice.commentId ?? null,
  JSON.stringify(notice.meta ?? {}),
  now,
]

const tell = async ({ db, now, emit }: WriteContext, id: number, { userId, actorId, causeCommentId = null }: Notice) => {
  await insertCause(db, [id, actorId, causeCommentId, now])
  await emit('notification.created', { notification_id: id, user_id: userId })
}

/** Tells somebody what nobody does twice; that he has deleted it changes nothing. True when he had not been told yet. */
export const tellOnce = async (ctx: WriteContext, notice: Notice): Promise<boolean> => {
  const row = await insert(ctx.db, valuesOf(notice, ctx.now))
  if (row) await tell(ctx, row.id, notice)
  return row !== undefined
}

/** The same, and once more where it happened anew at `since`, after he was told. */
export const tellAnew = async (ctx: WriteContext, notice: Notice, since: string): Promise<void> => {
  if (await tellOnce(ctx, notice)) return
  const row = await reopen(ctx.db, [notice.userId, notice.subject, ctx.now, since])
  if (!row) return
  await forgetCauses(ctx.db, [row.id])
  await tell(ctx, row.id, notice)
}

const knownCauses = async (db: Db, { userId, subject, actorId, causeCommentId }: Notice) =>
  (await Promise.all(causesOf.map((find) => find(db, [userId, subject, actorId, causeCommentId ?? 0])))).flat()

/** Adds a cause to the unread notification of the same subject, which comes to the top with it, or begins one. */
export const addCause = async (ctx: WriteContext, notice: Notice): Promise<void> => {
  if ((await knownCauses(ctx.db, notice)).length > 0) return
  const row = await insertOrRefresh(ctx.db, valuesOf(notice, ctx.now))
  if (row) await tell(ctx, row.id, notice)
}

/** Takes back what is not so any more; a notification goes with its last cause. */
export const dropCause = async (ctx: WriteContext, notice: Notice): Promise<void> => {
  let unread = false
  for (const cause of await knownCauses(ctx.db, notice)) {
    await deleteCause(ctx.db, [cause.id])
    const gone = await deleteBare(ctx.db, [cause.notification_id])
    unread ||= gone !== undefined && cause.is_read === 0
  }
  if (unread) await ctx.emit('notification.read', { user_id: notice.userId })
}

const byNames = statementFor<{ id: number }>((list) => `select id from users where username in (${list(1)})`)

/** The people of these usernames. */
export const peopleNamed = async (db: Db, names: readonly string[]): Promise<number[]> =>
  names.length === 0 ? [] : (await byNames(db, names.length, names)).map(({ id }) => id)

const toldOf = statement<{ user_id: number }>(
  'select distinct n.user_id from notification_causes k join notifications n on n.id = k.notification_id where k.comment_id = $1',
)
/** Who was told of that comment, in whatever way. */
export const toldOfComment = async (db: Db, commentId: number): Promise<Set<number>> =>
  new Set((await toldOf(db, [commentId])).map((row) => row.user_id))
