import { MAX_LISTED_ACTIVITIES } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { type Db, limitTo, type Placeholder, parameters, runText, statementOne } from '../../db/index.ts'
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
  /** The beginning of its HTML, perhaps cut inside a tag. */
  readonly f_beginning: string | null
  readonly s_title: string | null
  readonly s_slug: string | null
  /** The course that it happened in. */
  readonly k_title: string | null
  readonly k_slug: string | null
  /** Who was followed. */
  readonly o_display_name: string | null
  readonly o_username: string | null
}

/** The rows that the words of an activity are made from; courses and lessons tell everybody of their changes. */
export const subjectsOf = (row: ActivityFor): string[] => [
  `user:${row.user_id}`,
  `profile:${row.user_id}`,
  ...(row.f_id === null ? [] : [`words:${row.f_id}`]),
  ...(row.space_id === null ? [] : [`space:${row.space_id}`]),
  ...(row.o_username === null ? [] : [`user:${row.object_id}`]),
]

/** What a list tells of: everything, or one person's history, or one space; from a moment on, and before another. */
export interface ActivityList {
  readonly userId?: number | undefined
  readonly spaceId?: number | undefined
  readonly from?: string | undefined
  readonly before?: string | undefined
  /** Who joined which space is left out, but for the caller. */
  readonly withoutJoins?: boolean | undefined
}

/** Enough HTML for the words that stand for a feed without a title. */
const BEGINNING = 1000

const COLUMNS = `a.id, a.user_id, a.action_type, a.object_id, a.object_type, a.meta, a.created_at, a.comment_id,
  case when a.feed_id is null then a.space_id else af.space_id end as space_id, ${PERSON_COLUMNS}, u.last_activity as u_last_activity,
  af.id as f_id, af.title as f_title, af.slug as f_slug, substr(af.message_rendered, 1, ${BEGINNING}) as f_beginning, sp.title as s_title,
  sp.slug as s_slug, ac.title as k_title, ac.slug as k_slug, o.display_name as o_display_name, o.username as o_username`

const TABLES = `activities a join users u on u.id = a.user_id left join feeds af on af.id = a.feed_id
  left join spaces sp on sp.id = case when a.feed_id is null then a.space_id else af.space_id end
  left join courses ac on ac.id = case a.object_type when 'course' then a.object_id
    when 'lesson' then (select al.course_id from lessons al where al.id = a.object_id) end
  left join users o on a.action_type = 'follow_user' and o.id = a.object_id`

/** SQL: activity `a` belongs to the list, whoever may see it. What a person did in a space is found among what the person did. */
const inList = ({ userId, spaceId, before }: ActivityList, p: Placeholder, a: string): string => {
  const parts = [
    ...(userId === undefined ? [] : [`${a}.user_id = ${p(userId)}`]),
    ...(spaceId === undefined ? [] : [`${a}.space_id${userId === undefined ? '' : ' + 0'} = ${p(spaceId)}`]),
    ...(before === undefined ? [] : [`${a}.created_at < ${p(before)}`]),
  ]
  return parts.map((part) => `${part} and `).join('')
}

/**
 * SQL over activity `a`: it is among the newest of its list, seen or not, or as old as the last of them. The caller must not cost more the
 * more there is that he may not see. Where a list is of a person in a space, they are the person's.
 */
const isInReach = (list: ActivityList, p: Placeholder): string => {
  const reached = inList(list.userId === undefined ? list : { ...list, spaceId: undefined }, p, 'e')
  const last = `select e.created_at from activities e where ${reached}1 = 1 order by e.created_at desc, e.id desc limit 1 offset ${MAX_LISTED_ACTIVITIES - 1}`
  const from = list.from === undefined ? '' : ` and a.created_at >= ${p(list.from)}`
  return `${inList(list, p, 'a')}a.created_at >= coalesce((${last}), '')${from}`
}

/** SQL: the caller may see activity `a` of the list. */
const isShown = (actor: Actor, { spaceId, withoutJoins }: ActivityList, p: Placeholder): string => {
  const others = withoutJoins ? `(a.action_type <> 'space_joined' or a.user_id = ${p(actor.id)}) and ` : ''
  return others + isVisibleActivity(actor, p, spaceId)
}

/** Activities of a list that the caller may see, newest first. */
export const listActivities = (
  db: Db,
  actor: Actor,
  list: ActivityList,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<ActivityFor[]> => {
  const { values, p } = parameters()
  const where = `${isInReach(list, p)} and ${isShown(actor, list, p)}`
  const text = `select ${COLUMNS} from ${TABLES} where ${where} order by a.created_at desc, a.id desc ${limitTo(db, limit, offset, p)}`
  return runText<ActivityFor>(db, text, values)
}

/** Room for those that are as old as the last one in reach. */
const AS_OLD = 1000

/** How many activities of a list the caller may see. Those in reach are found first, as PostgreSQL cannot know how few they are. */
export const countActivities = async (db: Db, actor: Actor, list: ActivityList): Promise<number> => {
  const { values, p } = parameters()
  const reached = `select a.user_id, a.action_type, a.object_id, a.space_id, a.feed_id, a.comment_id from activities a
    where ${isInReach(list, p)} order by a.created_at desc, a.id desc limit ${MAX_LISTED_ACTIVITIES + AS_OLD}`
  const text = `select count(*) as n from (${reached}) a where ${isShown(actor, list, p)}`
  const [row] = await runText<{ n: number }>(db, text, values)
  return row?.n ?? 0
}

interface Person {
  readonly id: number
  readonly status: 'active' | 'suspended' | 'banned'
  readonly is_private: 0 | 1
  /** Whether the caller follows them. */
  readonly followed: 0 | 1
}

const personOf = statementOne<Person>(
  `select u.id, u.status, u.is_private, case when f.id is null then 0 else 1 end as followed from users u
   left join followers f on f.follower_id = $2 and f.following_id = u.id and f.status = 'active' where u.id = $1`,
)

/** Whose history it is, as the caller stands to them. */
export const loadPerson = (db: Db, userId: number, callerId: number) => personOf(db, [userId, callerId])
