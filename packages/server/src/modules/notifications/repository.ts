import type { NotificationType } from '@lyceum/contract'
import type { WriteContext } from '../../core/context.ts'
import { batchLock, batchStatement, type Db, lockRows, statement, statementIn, statementOne } from '../../db/index.ts'
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

const TYPES = {
  user_id: 'bigint',
  type: 'text',
  dedup_key: 'text',
  object_id: 'bigint',
  object_type: 'text',
  space_id: 'bigint',
  feed_id: 'bigint',
  comment_id: 'bigint',
  meta: 'text',
} as const
const COLUMNS = Object.keys(TYPES)
const insertStatement = (onConflict: string) =>
  batchStatement<{ id: number; user_id: number; dedup_key: string }>(
    TYPES,
    (rows) => `insert into notifications (${COLUMNS.join(', ')}, created_at, updated_at)
      select ${COLUMNS.map((name) => `d.${name}`).join(', ')}, $2, $2 from ${rows} d where 1 = 1
      on conflict (user_id, dedup_key) where is_open = 1 do ${onConflict} returning id, user_id, dedup_key`,
  )
const insertOnce = insertStatement('nothing')
const insertOrRefresh = insertStatement('update set created_at = excluded.created_at, updated_at = excluded.updated_at')
const insertCauses = batchStatement(
  { notification_id: 'bigint', actor_id: 'bigint', comment_id: 'bigint' },
  (rows) => `insert into notification_actors (notification_id, actor_id, comment_id, created_at)
    select d.notification_id, d.actor_id, d.comment_id, $2 from ${rows} d where 1 = 1
    on conflict (notification_id, actor_id, coalesce(comment_id, 0)) do nothing`,
)
/** Locks in id order to prevent deadlocks. */
const lockOpen = batchLock(
  { user_id: 'bigint', dedup_key: 'text' },
  'n',
  (rows) =>
    `select n.id from ${rows} d join notifications n on n.user_id = d.user_id and n.dedup_key = d.dedup_key and n.is_open = 1 order by n.id`,
)
/** An activity in a notification. */
interface KnownCause {
  /** Which notice of a list it is of. */
  readonly n: number
  readonly id: number
  readonly notification_id: number
  readonly is_read: 0 | 1
}
const causesByKey = batchStatement<KnownCause>({ n: 'bigint', user_id: 'bigint', dedup_key: 'text', actor_id: 'bigint' }, (rows) =>
  ['is_open = 1', 'is_open = 0']
    .map(
      (state) => `select d.n, k.id, k.notification_id, n.is_read from ${rows} d cross join notifications n cross join notification_actors k
        where n.user_id = d.user_id and n.dedup_key = d.dedup_key and n.${state} and k.notification_id = n.id and k.actor_id = d.actor_id
        and k.comment_id is null`,
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

const valuesOf = ({ spaceId = null, feedId = null, commentId = null, meta = {}, ...notice }: Notice) => [
  notice.userId,
  notice.type,
  notice.subject,
  notice.objectId,
  notice.objectType,
  spaceId,
  feedId,
  commentId,
  JSON.stringify(meta),
]

const keyOf = (userId: number, dedupKey: string) => `${userId} ${dedupKey}`

/** Adds the actors of notices to their notifications and announces them. */
const addActors = async (ctx: WriteContext, found: readonly { readonly id: number; readonly notice: Notice }[]): Promise<void> => {
  await insertCauses(
    ctx.db,
    found.map(({ id, notice: { actorId, causeCommentId = null } }) => [id, actorId, causeCommentId]),
    [ctx.now],
  )
  await announce(
    ctx,
    found.map(({ id, notice: { userId: user_id, type, meta } }) => ({ id, user_id, type, meta })),
  )
}

/** Inserts a notification for the notices of each dedup key, and their actors. */
const insertAll = async (ctx: WriteContext, insert: typeof insertOnce, bySubject: ReadonlyMap<string, readonly Notice[]>) => {
  const newest = [...bySubject.values()].flatMap((all) => all.at(-1) ?? [])
  const rows = await insert(ctx.db, newest.map(valuesOf), [ctx.now])
  const noticesOf = (row: (typeof rows)[number]) => bySubject.get(keyOf(row.user_id, row.dedup_key)) ?? []
  await addActors(
    ctx,
    rows.flatMap((row) => noticesOf(row).map((notice) => ({ id: row.id, notice }))),
  )
  return rows.length
}

const groupBySubject = (notices: readonly Notice[]) => Map.groupBy(notices, ({ userId, subject }) => keyOf(userId, subject))

/** Creates notifications except for recipients who have one with the same dedup key, even if they deleted it. Returns their number. */
export const createNotifications = (ctx: WriteContext, notices: readonly Notice[]): Promise<number> =>
  insertAll(ctx, insertOnce, groupBySubject(notices))

/** Shows an existing notification again if it is older than `repeatedAt`, when its action happened again. */
export const reopenNotification = async (ctx: WriteContext, notice: Notice, repeatedAt: string): Promise<void> => {
  const row = await reopen(ctx.db, [notice.userId, notice.subject, ctx.now, repeatedAt])
  if (!row) return
  await deleteAllCauses(ctx.db, [row.id])
  await addActors(ctx, [{ id: row.id, notice }])
}

/**
 * Adds new activity to the unread notifications with the same dedup keys, moving them to the top, or creates new ones. The caller must hold
 * locks on the objects concerned.
 */
export const addCauses = async (ctx: WriteContext, notices: readonly Notice[]): Promise<void> => {
  await lockOpen(
    ctx.db,
    notices.map(({ userId, subject }) => [userId, subject]),
  )
  await insertAll(ctx, insertOrRefresh, groupBySubject(notices))
}

/** The activity that exists for notices, other than comments. */
export const causesOf = (db: Db, notices: readonly Notice[]): Promise<KnownCause[]> =>
  causesByKey(
    db,
    notices.map(({ userId, subject, actorId }, n) => [n, userId, subject, actorId]),
  )

/** Removes activity that was taken back. A notification is deleted with its last activity. */
export const removeCauses = async ({ db, emitEach }: WriteContext, notices: readonly Notice[], causes: readonly KnownCause[]) => {
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

// No alias is the username of another member.
const byNames = statementIn<{ id: number; username: string }>(
  (list) => `select id, username from users where username in (${list})
    union all select user_id, alias from username_aliases where alias in (${list})`,
)

export const peopleNamed = async (db: Db, names: readonly string[]): Promise<Map<string, number>> =>
  new Map((await byNames(db, names)).map(({ id, username }) => [username, id]))

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
