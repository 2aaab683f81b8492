import type { NotificationType } from '@lyceum/contract'
import type { WriteContext } from '../../core/context.ts'
import { batchLock, batchStatement, type Db, lockRows, statementIn } from '../../db/index.ts'
import { distinctBy } from '../../util/distinct.ts'
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
  /** The time of an action that can happen again: an older notification with the same key is shown again. */
  readonly repeatedAt?: string | null
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
interface KeyedRow {
  readonly id: number
  readonly user_id: number
  readonly dedup_key: string
}
/** In the order of the keys, since batches that insert the same ones at once would otherwise deadlock. */
const insertStatement = (onConflict: string) =>
  batchStatement<KeyedRow>(
    TYPES,
    (rows) => `insert into notifications (${COLUMNS.join(', ')}, created_at, updated_at)
      select ${COLUMNS.map((name) => `d.${name}`).join(', ')}, $2, $2 from ${rows} d where 1 = 1 order by d.user_id, d.dedup_key
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
  'no key update',
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
        and coalesce(k.comment_id, 0) = 0`,
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
const reopen = batchStatement<KeyedRow>(
  { user_id: 'bigint', dedup_key: 'text', repeated_at: 'text' },
  (rows) => `update notifications set created_at = $2, updated_at = $2, is_read = 0, read_at = null, removed = 0
    where id in (select n.id from ${rows} d cross join notifications n where n.user_id = d.user_id and n.dedup_key = d.dedup_key
      and n.is_open = 1 and n.created_at < d.repeated_at) returning id, user_id, dedup_key`,
)
const deleteAllCauses = batchStatement(
  NAMED,
  (rows) => `delete from notification_actors where notification_id in (select d.id from ${rows} d)`,
)

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
type BySubject = ReadonlyMap<string, readonly Notice[]>
/** The notices of each dedup key, one for each activity. */
const groupBySubject = (notices: readonly Notice[]): BySubject =>
  Map.groupBy(
    distinctBy(notices, ({ userId, subject, actorId, causeCommentId }) => `${keyOf(userId, subject)} ${actorId} ${causeCommentId}`),
    ({ userId, subject }) => keyOf(userId, subject),
  )
/** A row for the notices of each dedup key. */
const rowsOf = (bySubject: BySubject) => [...bySubject.values()].flatMap((all) => all.slice(-1)).map(valuesOf)

/** Adds the actors of notices to their notifications and announces these. Returns their keys. */
const addActors = async (ctx: WriteContext, rows: readonly KeyedRow[], bySubject: BySubject): Promise<ReadonlySet<string>> => {
  const found = rows.map(({ id, user_id, dedup_key }) => ({ id, key: keyOf(user_id, dedup_key) }))
  const additions = found.flatMap(({ id, key }) => (bySubject.get(key) ?? []).map((notice) => ({ id, notice })))
  await insertCauses(
    ctx.db,
    additions.map(({ id, notice: { actorId, causeCommentId = null } }) => [id, actorId, causeCommentId]),
    [ctx.now],
  )
  await announce(
    ctx,
    additions.map(({ id, notice: { userId: user_id, type, meta } }) => ({ id, user_id, type, meta })),
  )
  return new Set(found.map(({ key }) => key))
}

const lockOpenOf = (db: Db, notices: readonly Notice[]) =>
  lockOpen(
    db,
    notices.map(({ userId, subject }) => [userId, subject]),
  )

/** Creates notifications. Recipients who have one with the same dedup key, even if they deleted it, get none, but see a repeated one again. */
export const createNotifications = async (ctx: WriteContext, notices: readonly Notice[]): Promise<void> => {
  const { db, now } = ctx
  const bySubject = groupBySubject(notices)
  const created = await addActors(ctx, await insertOnce(db, rowsOf(bySubject), [now]), bySubject)
  const repeated = notices.filter(({ userId, subject, repeatedAt }) => repeatedAt && !created.has(keyOf(userId, subject)))
  await lockOpenOf(db, repeated)
  const reopened = await reopen(
    db,
    repeated.map(({ userId, subject, repeatedAt = null }) => [userId, subject, repeatedAt]),
    [now],
  )
  await deleteAllCauses(
    db,
    reopened.map(({ id }) => id),
  )
  await addActors(ctx, reopened, groupBySubject(repeated))
}

/**
 * Adds new activity to the unread notifications with the same dedup keys, moving them to the top, or creates new ones. The caller must hold
 * locks on the objects concerned.
 */
export const addCauses = async (ctx: WriteContext, notices: readonly Notice[]): Promise<void> => {
  const bySubject = groupBySubject(notices)
  await lockOpenOf(ctx.db, notices)
  await addActors(ctx, await insertOrRefresh(ctx.db, rowsOf(bySubject), [ctx.now]), bySubject)
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
