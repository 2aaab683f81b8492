import { MAX_ACTORS_COUNTED, type NotificationType } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import {
  batchStatement,
  countRows,
  type Db,
  limitTo,
  lockRows,
  type PageWindow,
  type Placeholder,
  selectRows,
  statement,
  statementOne,
  statementValues,
} from '../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'
import { visibleCauses, visibleNotifications } from './visibility.ts'

/** A notification with its latest activity and the data for its text. */
export interface NotificationFor extends PersonColumns {
  readonly id: number
  readonly recipient_id: number
  readonly type: NotificationType
  readonly object_id: number
  readonly object_type: string
  readonly meta: string
  readonly is_read: 0 | 1
  readonly read_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /**
   * The latest actor. For moderator decisions it is the recipient, because moderators stay anonymous; for join requests, the person
   * waiting.
   */
  readonly user_id: number
  readonly actors_count: number
  readonly comment_id: number | null
  readonly cause_comment_id: number | null
  readonly f_title: string | null
  readonly f_slug: string | null
  /** Beginning of the HTML, possibly cut inside a tag. */
  readonly f_beginning: string | null
  readonly c_beginning: string | null
  readonly s_title: string | null
  readonly s_slug: string | null
  readonly k_title: string | null
  readonly k_slug: string | null
  /** Whether the actor's request (to follow or to join) is still pending. */
  readonly pending: 0 | 1
  readonly f_id: number | null
  readonly c_id: number | null
  readonly s_id: number | null
}

/** Without rows, the same kinds of tags cover what was read. */
export const NO_ROWS = ['user:0', 'words:0', 'comment:0', 'space:0']

/** Cache tags of the rows that the text of a notification is built from. */
export const tagsOf = ({ user_id, f_id, c_id, s_id }: NotificationFor): string[] => [
  `user:${user_id}`,
  ...(f_id === null ? [] : [`words:${f_id}`]),
  ...(c_id === null ? [] : [`comment:${c_id}`]),
  ...(s_id === null ? [] : [`space:${s_id}`]),
]

export interface NotificationFilter {
  readonly isRead?: boolean | undefined
  readonly type?: NotificationType | undefined
}

const EXCERPT_BYTES = 1000

const READ = { true: ' and n.is_read = 1', false: ' and n.is_read = 0' } as const

const whereOf = (actor: Actor, { isRead, type }: NotificationFilter, p: Placeholder): string => {
  const read = isRead === undefined ? '' : READ[`${isRead}`]
  return `n.user_id = ${p(actor.id)}${read}${type ? ` and n.type = ${p(type)}` : ''} and ${visibleNotifications(actor, p)}`
}

export const pageOfNotifications = async (
  db: Db,
  actor: Actor,
  filter: NotificationFilter,
  direction: 'asc' | 'desc',
  { limit, offset }: PageWindow,
): Promise<number[]> => {
  const rows = await selectRows<{ id: number }>(
    db,
    (p) => `select n.id from notifications n where ${whereOf(actor, filter, p)}
      order by n.created_at ${direction}, n.id ${direction} ${limitTo(db, limit, offset, p)}`,
  )
  return rows.map(({ id }) => id)
}

export const countNotifications = (db: Db, actor: Actor, filter: NotificationFilter): Promise<number> =>
  countRows(db, (p) => `notifications n where ${whereOf(actor, filter, p)}`)

/** The visible ones of these notifications, in no particular order. */
export const loadNotifications = (db: Db, actor: Actor, ids: readonly number[]) =>
  selectRows<NotificationFor>(db, (p) => {
    if (ids.length === 0) return null
    const me = p(actor.id)
    const newest = `select nk.id from notification_actors nk where nk.notification_id = n.id and ${visibleCauses(actor, p, 'nk')}
    order by nk.id desc limit 1`
    const among = `select ak.actor_id from notification_actors ak where ak.notification_id = n.id and ${visibleCauses(actor, p, 'ak')}
    order by ak.id desc limit ${MAX_ACTORS_COUNTED}`
    const pending = `case n.type
    when 'new_follower' then (select count(*) from followers pf where pf.follower_id = k.actor_id and pf.following_id = ${me} and pf.status = 'pending')
    when 'space_join' then (select count(*) from space_members pm where pm.space_id = n.space_id and pm.user_id = k.actor_id and pm.status = 'pending')
    else 0 end`
    return `select n.id, n.user_id as recipient_id, n.type, n.object_id, n.object_type, n.meta, n.is_read, n.read_at, n.created_at, n.updated_at,
    n.comment_id, u.id as user_id, k.comment_id as cause_comment_id, (select count(distinct p1.actor_id) from (${among}) p1) as actors_count,
    ${PERSON_COLUMNS}, tf.title as f_title, tf.slug as f_slug, substr(tf.message_rendered, 1, ${EXCERPT_BYTES}) as f_beginning,
    substr(tc.message_rendered, 1, ${EXCERPT_BYTES}) as c_beginning, ts.title as s_title, ts.slug as s_slug,
    tk.title as k_title, tk.slug as k_slug, ${pending} as pending, tf.id as f_id, tc.id as c_id, ts.id as s_id
    from notifications n join notification_actors k on k.id = (${newest})
    join users u on u.id = case when n.type = 'moderation' and n.object_type <> 'user' then n.user_id else k.actor_id end
    left join feeds tf on tf.id = n.feed_id left join comments tc on tc.id = coalesce(k.comment_id, n.comment_id)
    left join spaces ts on ts.id = coalesce(tf.space_id, n.space_id)
    left join courses tk on tk.id = case n.object_type when 'course' then n.object_id
      when 'lesson' then (select tl.course_id from lessons tl where tl.id = n.object_id) end
    where n.id in (${ids.map(p).join(', ')}) and ${visibleNotifications(actor, p)}`
  })

/** Spaces about whose new members the user is notified. */
export const spacesOfJoins = statementValues<number>(
  `select distinct n.space_id from notifications n where n.user_id = $1 and n.removed = 0 and n.type = 'space_join' and n.space_id is not null`,
)

/** Types whose row collects activity until it is read. */
const GROUPED = `('new_comment', 'new_reply', 'new_reaction')`
const CLOSED = `is_open = case when type in ${GROUPED} then 0 else is_open end`

/** By id and time. */
export const markRead = statement(`update notifications set is_read = 1, read_at = $2, ${CLOSED} where id = $1 and is_read = 0`)
export const removeNotification = statement(
  `update notifications set removed = 1, is_read = 1, read_at = coalesce(read_at, $2), ${CLOSED} where id = $1 and removed = 0`,
)
/** The recipient of a notification. */
export const holderOf = statementOne<{ user_id: number }>('select user_id from notifications where id = $1 and removed = 0')
export const readState = statementOne<{ is_read: 0 | 1; read_at: string | null }>(
  'select is_read, read_at from notifications where id = $1',
)

type Change = 'read' | 'removed'
const LEFT: Readonly<Record<Change, string>> = { read: 'is_read = 0', removed: 'removed = 0' }
const changing = (set: string, left: string) =>
  batchStatement<{ id: number }>(
    { id: 'bigint' },
    (rows) => `update notifications set ${set}, ${CLOSED} where id in (select d.id from ${rows} d) and ${left} returning id`,
  )
const CHANGE = {
  read: changing('is_read = 1, read_at = $2', LEFT.read),
  removed: changing('removed = 1, is_read = 1, read_at = coalesce(read_at, $2)', LEFT.removed),
} as const

/** Marks as read or deletes all of the caller's notifications, and returns how many of them were visible. */
export const changeAll = async (db: Db, actor: Actor, change: Change, now: string): Promise<number> => {
  const found = await selectRows<{ id: number; is_visible: 0 | 1 }>(
    db,
    (p) => `select n.id, case when ${visibleNotifications(actor, p)} then 1 else 0 end as is_visible from notifications n
      where n.user_id = ${p(actor.id)} and n.${LEFT[change]}`,
  )
  const visible = new Set(found.filter(({ is_visible }) => is_visible === 1).map(({ id }) => id))
  const ids = found.map(({ id }) => id)
  // In the same order as jobs that add to several notifications, to prevent deadlocks.
  await lockRows(db, 'notifications', ids)
  const changed = await CHANGE[change](db, ids, [now])
  return changed.filter(({ id }) => visible.has(id)).length
}
