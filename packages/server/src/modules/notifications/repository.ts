import type { NotificationType } from '@lyceum/contract'
import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type Db, isSingleWriter, lockRows, statement, statementIn, statementOne } from '../../db/index.ts'
import { announce } from './delivery/plan.ts'
import type { NoticeMeta } from './view.ts'

/** A notification to create. A recipient gets one row per dedup key (`subject`). */
export interface Notice {
  readonly userId: number
  readonly type: NotificationType
  /** Dedup key, such as `mention:feed:7`. */
  readonly subject: string
  readonly objectType: 'feed' | 'comment' | 'space' | 'user' | 'course' | 'lesson' | 'report'
  readonly objectId: number
  readonly actorId: number
  /** Where it happened; the recipient must be able to see all of these for the notification to be shown. */
  readonly spaceId?: number | null
  readonly feedId?: number | null
  readonly commentId?: number | null
  /** The comment that caused it, if any. */
  readonly causeCommentId?: number | null
  readonly meta?: NoticeMeta
}

const COLUMNS = 'user_id, type, dedup_key, object_id, object_type, space_id, feed_id, comment_id, meta, created_at, updated_at'
const VALUES = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10'

const insert = statementOne<{ id: number }>(
  `insert into notifications (${COLUMNS}) values (${VALUES}) on conflict (user_id, dedup_key) where is_open = 1 do nothing returning id`,
)
const NOTICE_COLUMNS = {
  user_id: 'bigint',
  type: 'text',
  dedup_key: 'text',
  object_id: 'bigint',
  object_type: 'text',
  space_id: 'bigint',
  feed_id: 'bigint',
  comment_id: 'bigint',
  meta: 'text',
  created_at: 'text',
} as const
const selected = Object.keys(NOTICE_COLUMNS).map((name) => `d.${name}`)
const insertOrRefresh = batchStatement<{ id: number; user_id: number; dedup_key: string }>(
  NOTICE_COLUMNS,
  (rows) => `insert into notifications (${COLUMNS}) select ${selected.join(', ')}, d.created_at from ${rows} d where 1 = 1
    on conflict (user_id, dedup_key) where is_open = 1 do update set created_at = excluded.created_at, updated_at = excluded.updated_at
    returning id, user_id, dedup_key`,
)
const insertCauses = batchStatement(
  { notification_id: 'bigint', actor_id: 'bigint', comment_id: 'bigint' },
  (rows) => `insert into notification_actors (notification_id, actor_id, comment_id, created_at)
    select d.notification_id, d.actor_id, d.comment_id, $2 from ${rows} d where 1 = 1
    on conflict (notification_id, actor_id, coalesce(comment_id, 0)) do nothing`,
)
const openOf = batchStatement<{ id: number }>(
  { user_id: 'bigint', dedup_key: 'text' },
  (rows) => `select n.id from ${rows} d join notifications n on n.user_id = d.user_id and n.dedup_key = d.dedup_key and n.is_open = 1`,
)
interface KnownCause {
  /** Which notice of a list it is of. */
  readonly n: number
  readonly id: number
  readonly notification_id: number
  readonly is_read: 0 | 1
}
const NOTICE = { n: 'bigint', user_id: 'bigint', dedup_key: 'text', actor_id: 'bigint', comment_id: 'bigint' } as const
// The plus keeps SQLite from going through all that somebody has caused.
const causesOfComments = batchStatement<KnownCause>(
  NOTICE,
  (rows) => `select d.n, k.id, k.notification_id, n.is_read from ${rows} d cross join notification_actors k cross join notifications n
    where k.comment_id = d.comment_id and +k.actor_id = d.actor_id and n.id = k.notification_id and n.user_id = d.user_id
    and n.dedup_key = d.dedup_key`,
)
const causesOfOthers = batchStatement<KnownCause>(NOTICE, (rows) =>
  ['is_open = 1', 'is_open = 0']
    .map(
      (state) => `select d.n, k.id, k.notification_id, n.is_read from ${rows} d cross join notifications n cross join notification_actors k
        where n.user_id = d.user_id and n.dedup_key = d.dedup_key and n.${state} and k.notification_id = n.id and k.actor_id = d.actor_id
        and coalesce(k.comment_id, 0) = d.comment_id`,
    )
    .join(' union all '),
)
const NAMED = { id: 'bigint' } as const
const deleteCauses = batchStatement(NAMED, (rows) => `delete from notification_actors where id in (select d.id from ${rows} d)`)
const deleteBare = batchStatement<{ id: number }>(
  NAMED,
  (rows) => `delete from notifications where id in (select d.id from ${rows} d)
    and not exists (select 1 from notification_actors k where k.notification_id = notifications.id) returning id`,
)
const reopen = statementOne<{ id: number }>(
  `update notifications set created_at = $3, updated_at = $3, is_read = 0, read_at = null, removed = 0
   where user_id = $1 and dedup_key = $2 and is_open = 1 and created_at < $4 returning id`,
)
const deleteAllCauses = statement('delete from notification_actors where notification_id = $1')

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

const tell = async (ctx: WriteContext, id: number, { userId, actorId, causeCommentId = null }: Notice) => {
  await insertCauses(ctx.db, [[id, actorId, causeCommentId]], [ctx.now])
  await announce(ctx, [{ id, user_id: userId }])
}

/**
 * Creates a notification unless the recipient has one with the same dedup key, even if they deleted it. `repeatedAt`: the action happened
 * again at that time, so an earlier notification is shown again. `notify` also checks the recipient.
 */
export const createNotification = async (ctx: WriteContext, notice: Notice, repeatedAt?: string): Promise<void> => {
  const created = await insert(ctx.db, valuesOf(notice, ctx.now))
  const reopened =
    created || repeatedAt === undefined ? undefined : await reopen(ctx.db, [notice.userId, notice.subject, ctx.now, repeatedAt])
  if (reopened) await deleteAllCauses(ctx.db, [reopened.id])
  const row = created ?? reopened
  if (row) await tell(ctx, row.id, notice)
}

/** Existing activity rows for these notices. A comment matches few rows directly; anything else is looked up by dedup key. */
const knownCauses = async (db: Db, notices: readonly Notice[]): Promise<KnownCause[]> => {
  const rows = notices.map(({ userId, subject, actorId, causeCommentId }, n) => [n, userId, subject, actorId, causeCommentId ?? 0] as const)
  const [comments, others] = [rows.filter((row) => row[4] > 0), rows.filter((row) => row[4] === 0)]
  return [
    ...(comments.length > 0 ? await causesOfComments(db, comments) : []),
    ...(others.length > 0 ? await causesOfOthers(db, others) : []),
  ]
}

const keyOf = (userId: number, dedupKey: string) => `${userId} ${dedupKey}`

/** Locks the open notifications these notices would be added to, in id order to prevent deadlocks. */
const lockOpen = async (db: Db, notices: readonly Notice[]): Promise<void> => {
  if (isSingleWriter(db)) return
  const rows = await openOf(
    db,
    notices.map(({ userId, subject }) => [userId, subject]),
  )
  await lockRows(
    db,
    'notifications',
    rows.map(({ id }) => id),
  )
}

/**
 * Adds activity to the unread notifications with the same dedup keys, moving them to the top, or creates new ones. The caller must hold
 * locks on the objects concerned.
 */
export const addCauses = async (ctx: WriteContext, notices: readonly Notice[]): Promise<void> => {
  const { db, now } = ctx
  if (notices.length === 0) return
  const known = new Set((await knownCauses(db, notices)).map(({ n }) => n))
  const bySubject = Map.groupBy(
    notices.filter((_, n) => !known.has(n)),
    ({ userId, subject }) => keyOf(userId, subject),
  )
  if (bySubject.size === 0) return
  const newest = [...bySubject.values()].flatMap((all) => all.at(-1) ?? [])
  await lockOpen(db, newest)
  const rows = await insertOrRefresh(
    db,
    newest.map((notice) => valuesOf(notice, now)),
  )
  const told = rows.flatMap((row) => (bySubject.get(keyOf(row.user_id, row.dedup_key)) ?? []).map((notice) => ({ ...notice, id: row.id })))
  await insertCauses(
    db,
    told.map(({ id, actorId, causeCommentId }) => [id, actorId, causeCommentId ?? null]),
    [now],
  )
  await announce(
    ctx,
    told.map(({ id, userId }) => ({ id, user_id: userId })),
  )
}

/** Removes activity that was taken back. A notification is deleted with its last activity. */
export const removeCauses = async ({ db, emitEach }: WriteContext, notices: readonly Notice[]): Promise<void> => {
  const causes = notices.length === 0 ? [] : await knownCauses(db, notices)
  if (causes.length === 0) return
  const named = [...new Set(causes.map(({ notification_id }) => notification_id))]
  await lockRows(db, 'notifications', named)
  await deleteCauses(
    db,
    causes.map(({ id }) => id),
  )
  const gone = new Set((await deleteBare(db, named)).map(({ id }) => id))
  const unread = causes.filter((cause) => gone.has(cause.notification_id) && cause.is_read === 0)
  const people = new Set(unread.flatMap(({ n }) => notices[n]?.userId ?? []))
  await emitEach(
    'notification.read',
    [...people].map((user_id) => ({ actorId: null, payload: { user_id } })),
  )
}

const byNames = statementIn<{ id: number; username: string }>((list) => `select id, username from users where username in (${list(1)})`)

/** User ids by username. */
export const peopleNamed = async (db: Db, names: readonly string[]): Promise<Map<string, number>> =>
  new Map(names.length === 0 ? [] : (await byNames(db, names.length, names)).map(({ id, username }) => [username, id]))

const notifiedOf = batchStatement<{ comment_id: number; user_id: number }>(
  NAMED,
  (rows) => `select distinct k.comment_id, n.user_id from ${rows} d join notification_actors k on k.comment_id = d.id
    join notifications n on n.id = k.notification_id`,
)
/** Who was notified about these comments, in any way, as `comment user` pairs. */
export const notifiedAboutComments = async (db: Db, commentIds: readonly number[]): Promise<Set<string>> => {
  const rows = await notifiedOf(db, commentIds)
  return new Set(rows.map(({ comment_id, user_id }) => `${comment_id} ${user_id}`))
}
