import { MAX_LISTED_ACTIVITIES } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { countRows, type Db, limitTo, type PageWindow, type Placeholder, selectRows, statementOne } from '../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'
import { isVisibleActivity } from './visibility.ts'

export interface ActivityFor extends PersonColumns {
  readonly id: number
  readonly user_id: number
  readonly action_type: string
  readonly object_id: number
  readonly object_type: string
  readonly space_id: number | null
  readonly meta: string
  readonly created_at: string
  readonly comment_id: number | null
  readonly u_last_activity: string | null
  readonly f_id: number | null
  readonly f_title: string | null
  readonly f_slug: string | null
  /** Start of the feed's HTML, possibly cut inside a tag. */
  readonly f_beginning: string | null
  readonly s_title: string | null
  readonly s_slug: string | null
  readonly k_title: string | null
  readonly k_slug: string | null
  readonly o_display_name: string | null
  readonly o_username: string | null
}

/** Without rows, the same kinds of tags cover what was read. */
export const NO_ROWS = ['user:0', 'profile:0', 'words:0', 'space:0']

/** Cache tags of the rows that the text depends on. Changes of courses and lessons invalidate all activities. */
export const tagsOf = (row: ActivityFor): string[] => [
  `user:${row.user_id}`,
  `profile:${row.user_id}`,
  ...(row.f_id === null ? [] : [`words:${row.f_id}`]),
  ...(row.space_id === null ? [] : [`space:${row.space_id}`]),
  ...(row.o_username === null ? [] : [`user:${row.object_id}`]),
]

/** Which activities a list contains: all, or those of a member or a space, within a period. */
export interface ActivityList {
  readonly userId?: number | undefined
  readonly spaceId?: number | undefined
  readonly from?: string | undefined
  readonly before?: string | undefined
  /** Exclude who joined which space, except for the caller. */
  readonly hideJoins?: boolean | undefined
}

/** Enough HTML for the excerpt shown for feeds without a title. */
const EXCERPT_LENGTH = 1000

const COLUMNS = `a.id, a.user_id, a.action_type, a.object_id, a.object_type, a.meta, a.created_at, a.comment_id,
  case when a.feed_id is null then a.space_id else af.space_id end as space_id, ${PERSON_COLUMNS}, u.last_activity as u_last_activity,
  af.id as f_id, af.title as f_title, af.slug as f_slug, substr(af.message_rendered, 1, ${EXCERPT_LENGTH}) as f_beginning, sp.title as s_title,
  sp.slug as s_slug, ac.title as k_title, ac.slug as k_slug, o.display_name as o_display_name, o.username as o_username`

const TABLES = `activities a join users u on u.id = a.user_id left join feeds af on af.id = a.feed_id
  left join spaces sp on sp.id = case when a.feed_id is null then a.space_id else af.space_id end
  left join courses ac on ac.id = case a.object_type when 'course' then a.object_id
    when 'lesson' then (select al.course_id from lessons al where al.id = a.object_id) end
  left join users o on a.action_type = 'follow_user' and o.id = a.object_id`

/**
 * SQL condition: activity `a` belongs to the list, regardless of visibility. For a member's activities in a space, `+ 0` keeps the index on
 * the member in use.
 */
const listCondition = ({ userId, spaceId, before }: ActivityList, p: Placeholder, a: string): string => {
  const parts = [
    ...(userId === undefined ? [] : [`${a}.user_id = ${p(userId)}`]),
    ...(spaceId === undefined ? [] : [`${a}.space_id${userId === undefined ? '' : ' + 0'} = ${p(spaceId)}`]),
    ...(before === undefined ? [] : [`${a}.created_at < ${p(before)}`]),
  ]
  return parts.map((part) => `${part} and `).join('')
}

/**
 * SQL condition: activity `a` is in the scan window, the newest activities of its list, visible or not, or as old as the last of them. The
 * window limits the cost for callers who may see few of them. For a member's activities in a space, the window is over the member's
 * activities.
 */
const isInScanWindow = (list: ActivityList, p: Placeholder): string => {
  const window = listCondition(list.userId === undefined ? list : { ...list, spaceId: undefined }, p, 'e')
  const last = `select e.created_at from activities e where ${window}1 = 1 order by e.created_at desc, e.id desc limit 1 offset ${MAX_LISTED_ACTIVITIES - 1}`
  const from = list.from === undefined ? '' : ` and a.created_at >= ${p(list.from)}`
  return `${listCondition(list, p, 'a')}a.created_at >= coalesce((${last}), '')${from}`
}

/** SQL condition: the caller may see activity `a` of the list. */
const isVisible = (actor: Actor, { spaceId, hideJoins }: ActivityList, p: Placeholder): string => {
  const others = hideJoins ? `(a.action_type <> 'space_joined' or a.user_id = ${p(actor.id)}) and ` : ''
  return others + isVisibleActivity(actor, p, spaceId)
}

export const listActivities = (db: Db, actor: Actor, list: ActivityList, { limit, offset }: PageWindow) =>
  selectRows<ActivityFor>(db, (p) => {
    const where = `${isInScanWindow(list, p)} and ${isVisible(actor, list, p)}`
    return `select ${COLUMNS} from ${TABLES} where ${where} order by a.created_at desc, a.id desc ${limitTo(db, limit, offset, p)}`
  })

/** Allowance for activities as old as the last one in the window. */
const TIE_ALLOWANCE = 1000

/**
 * The number of activities of a list that the caller may see. The subquery finds the window first, because PostgreSQL cannot estimate how
 * small it is.
 */
export const countActivities = (db: Db, actor: Actor, list: ActivityList): Promise<number> =>
  countRows(db, (p) => {
    const window = `select a.user_id, a.action_type, a.object_id, a.space_id, a.feed_id, a.comment_id from activities a
      where ${isInScanWindow(list, p)} order by a.created_at desc, a.id desc limit ${MAX_LISTED_ACTIVITIES + TIE_ALLOWANCE}`
    return `(${window}) a where ${isVisible(actor, list, p)}`
  })

interface Person {
  readonly id: number
  readonly status: 'active' | 'suspended' | 'banned'
  readonly is_private: 0 | 1
  /** Whether the caller follows them. */
  readonly followed: 0 | 1
}

const findPerson = statementOne<Person>(
  `select u.id, u.status, u.is_private, case when f.id is null then 0 else 1 end as followed from users u
   left join followers f on f.follower_id = $2 and f.following_id = u.id and f.status = 'active' where u.id = $1`,
)

/** A member as needed to decide whether the caller may see their history. */
export const loadPerson = (db: Db, userId: number, callerId: number) => findPerson(db, [userId, callerId])
