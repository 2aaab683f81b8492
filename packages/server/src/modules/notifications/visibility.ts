import { mayAny } from '../../auth/authenticate.ts'
import type { Actor } from '../../core/context.ts'
import { exists, type Placeholder } from '../../db/index.ts'
import { managesAllCourses } from '../courses/index.ts'
import { reachableFeeds } from '../feeds/index.ts'
import { visibleSpaces } from '../spaces/index.ts'

/** SQL: the comment is published, or the caller is its author. */
const visibleComment = (column: string, me: string): string =>
  `(${column} is null or ${exists(`select 1 from comments oc where oc.id = ${column} and (oc.status = 'published' or oc.user_id = ${me})`)})`

/**
 * SQL: the causing comment is published, or the caller's own. Its author is the actor, and it belongs to the notification's feed, so it is
 * looked up among the actor's few unpublished comments there. The plus prevents planners from using the primary key.
 */
const visibleCause = (k: string, me: string): string =>
  `(${k}.comment_id is null or ${k}.actor_id = ${me} or (n.feed_id is not null and not exists (select 1 from comments oc
    where oc.post_id = n.feed_id and oc.user_id = ${k}.actor_id and oc.status <> 'published' and +oc.id = ${k}.comment_id)))`

/** SQL: the caller manages the members of the notification's space. */
const managesSpace = (actor: Actor, me: string, p: Placeholder): string => {
  const permissions = ['manage_spaces', 'manage_space_members'] as const
  if (actor.role === 'admin' || mayAny(actor, permissions, null)) return '1 = 1'
  const managed = (actor.managedSpaces ?? []).filter((id) => mayAny(actor, permissions, id))
  const staff = managed.length > 0 ? ` or n.space_id in (${managed.map(p).join(', ')})` : ''
  const runs = exists(`select 1 from space_members rm where rm.space_id = n.space_id and rm.user_id = ${me} and rm.status = 'active'
    and rm.role = 'admin'`)
  return `(${runs}${staff})`
}

const visibleSpace = (actor: Actor, me: string, p: Placeholder): string => {
  const from = `select 1 from spaces s left join space_members m on m.space_id = s.id and m.user_id = ${me} where s.id = n.space_id`
  const seen = exists(`${from} and ${visibleSpaces(actor, p)}`)
  const invited = exists(`${from} and m.status = 'active' and (s.status <> 'draft' or m.role <> 'member')`)
  return `(case n.type when 'space_join' then ${managesSpace(actor, me, p)} when 'space_invite' then ${invited} else ${seen} end)`
}

/** SQL: the caller manages the notification's course, and its student is still enrolled. */
const managesCourse = (actor: Actor, me: string): string => {
  const runs = managesAllCourses(actor) ? '' : ` and (vc.created_by = ${me} or vc.instructor_id = ${me})`
  const student = `exists (select 1 from notification_actors vk join enrolments ve on ve.user_id = vk.actor_id and ve.course_id = vc.id
    where vk.notification_id = n.id)`
  return `(case n.type when 'course_enrollment' then exists (select 1 from courses vc where vc.id = n.object_id${runs} and ${student})
    when 'lesson_complete' then exists (select 1 from lessons vl join courses vc on vc.id = vl.course_id
      where vl.id = n.object_id${runs} and ${student}) else 1 = 1 end)`
}

/**
 * SQL over activity `k` of notification `n`: the action was not taken back, and the caller may see its object. Follows and joins must still
 * exist.
 */
export const visibleCauses = (actor: Actor, p: Placeholder, k = 'k'): string => {
  const me = p(actor.id)
  const active = exists(`select 1 from users va where va.id = ${k}.actor_id and va.status = 'active'`)
  const follows = exists(`select 1 from followers vf where vf.follower_id = ${k}.actor_id and vf.following_id = ${me}`)
  const joins = exists(`select 1 from space_members vj where vj.space_id = n.space_id and vj.user_id = ${k}.actor_id
    and vj.status <> 'banned'`)
  return `${visibleCause(k, me)} and (n.type <> 'new_follower' or (${follows} and ${active}))
    and (n.type <> 'space_join' or (${joins} and ${active}))`
}

/**
 * SQL predicate: the caller's notifications `n` that are not deleted and that they may see now, with at least one visible activity. Every
 * query of notifications must use it.
 */
export const visibleNotifications = (actor: Actor, p: Placeholder): string => {
  const me = p(actor.id)
  const feed = exists(`select 1 from feeds f where f.id = n.feed_id and (f.status = 'published' or f.user_id = ${me})
    and ${reachableFeeds(actor, p)}`)
  return `n.user_id = ${me} and n.removed = 0
    and (case when n.feed_id is not null then ${feed} when n.space_id is not null then ${visibleSpace(actor, me, p)} else ${managesCourse(actor, me)} end)
    and ${visibleComment('n.comment_id', me)}
    and ${exists(`select 1 from notification_actors k where k.notification_id = n.id and ${visibleCauses(actor, p)}`)}`
}
