import { type Db, parameters, runText } from '../../db/index.ts'
import { isStaffEverywhere, staffSpaces } from '../../platform/auth/permissions.ts'
import type { Actor } from '../../platform/context.ts'
import { visibleFeeds } from '../feeds/index.ts'
import { spacesWithVisibleMembers } from '../spaces/index.ts'

export interface ActivityFor {
  readonly id: number
  readonly user_id: number
  readonly action_type: string
  readonly object_id: number
  readonly object_type: string
  readonly created_at: string
  readonly comment_id: number | null
  readonly u_display_name: string
  readonly u_username: string
  readonly u_avatar: string
  readonly f_title: string | null
  readonly f_slug: string | null
  /** The beginning of its HTML, perhaps cut inside a tag. */
  readonly f_beginning: string | null
  readonly s_title: string | null
  readonly s_slug: string | null
}

/** How many activities are looked through for those that the caller may see: he must not cost more the more there is that he may not. */
const RECENT = 20_000

/** Enough HTML for the words that stand for a feed without a title. */
const BEGINNING = 1000

type Place = (value: string | number) => string

/**
 * SQL over activity `a`: it must not tell of what the caller may not see. Bookmarks are nobody else's business, and who joined a space is
 * for those who may see its members.
 */
const visibleActivities = (actor: Actor, p: Place): string => {
  const me = p(actor.id)
  const feed = `exists (select 1 from feeds f where f.id = a.feed_id and ${visibleFeeds(actor, p)})`
  const staff = staffSpaces(actor)
  const managed = staff.length > 0 ? ` or a.space_id in (${staff.map(p).join(', ')})` : ''
  const space = isStaffEverywhere(actor)
    ? '1 = 1'
    : `(a.space_id is null or exists (select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
        where vs.id = a.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin')) and (vm.id is not null or vs.privacy = 'public'))${managed})`
  const joined = `exists (select 1 from spaces js left join space_members jm on jm.space_id = js.id and jm.user_id = ${me}
    where js.id = a.space_id and ${spacesWithVisibleMembers(actor, p, 'js', 'jm')})`
  return `(a.action_type <> 'bookmark_added' or a.user_id = ${me})
    and (a.action_type <> 'space_joined' or a.user_id = ${me} or ${joined})
    and (case when a.feed_id is null then ${space} else ${feed} end)
    and (a.comment_id is null or exists (select 1 from comments c where c.id = a.comment_id and c.status = 'published'))`
}

/** SQL over activity `a`: it is among the newest ones, or as old as the last of them. */
const isRecent = (p: Place): string =>
  `a.created_at >= coalesce((select e.created_at from activities e order by e.created_at desc, e.id desc limit 1 offset ${p(RECENT)}), '')`

/** The newest activities that the caller may see, among the recent ones. */
export const newestActivities = (db: Db, actor: Actor, limit: number): Promise<ActivityFor[]> => {
  const { values, p } = parameters()
  const where = `${isRecent(p)} and ${visibleActivities(actor, p)}`
  return runText<ActivityFor>(
    db,
    `select a.id, a.user_id, a.action_type, a.object_id, a.object_type, a.created_at, a.comment_id, u.display_name as u_display_name,
     u.username as u_username, u.avatar as u_avatar, af.title as f_title, af.slug as f_slug, substr(af.message_rendered, 1, ${BEGINNING}) as f_beginning, sp.title as s_title,
     sp.slug as s_slug from activities a join users u on u.id = a.user_id left join feeds af on af.id = a.feed_id
     left join spaces sp on sp.id = case when a.feed_id is null then a.space_id else af.space_id end where ${where} order by a.created_at desc, a.id desc limit ${p(limit)}`,
    values,
  )
}
