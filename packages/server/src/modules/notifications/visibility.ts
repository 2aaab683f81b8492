import { mayAny } from '../../auth/permissions.ts'
import type { Actor } from '../../core/context.ts'
import { found, type Placeholder } from '../../db/index.ts'
import { managesAllCourses } from '../courses/index.ts'
import { feedsInReach } from '../feeds/index.ts'
import { visibleSpaces } from '../spaces/index.ts'

/** SQL: the comment is there for the caller, who wrote it or sees it published. */
const seenComment = (column: string, me: string): string =>
  `(${column} is null or ${found(`select 1 from comments vc where vc.id = ${column} and (vc.status = 'published' or vc.user_id = ${me})`)})`

/**
 * SQL: the comment that is a cause is published, or the caller's own. Whoever caused it wrote it, under the feed of the notification: so it is
 * looked for among the few of his there that are not published, and no comment is read. The plus keeps planners from reading it by its id.
 */
const seenCause = (k: string, me: string): string =>
  `(${k}.comment_id is null or ${k}.actor_id = ${me} or (n.feed_id is not null and not exists (select 1 from comments vc
    where vc.post_id = n.feed_id and vc.user_id = ${k}.actor_id and vc.status <> 'published' and +vc.id = ${k}.comment_id)))`

/** SQL: the caller decides who is in the notification's space. */
const runsSpace = (actor: Actor, me: string, p: Placeholder): string => {
  const permissions = ['manage_spaces', 'manage_space_members'] as const
  if (actor.role === 'admin' || mayAny(actor, permissions, null)) return '1 = 1'
  const managed = (actor.managedSpaces ?? []).filter((id) => mayAny(actor, permissions, id))
  const staff = managed.length > 0 ? ` or n.space_id in (${managed.map(p).join(', ')})` : ''
  const runs = found(`select 1 from space_members rm where rm.space_id = n.space_id and rm.user_id = ${me} and rm.status = 'active'
    and rm.role = 'admin'`)
  return `(${runs}${staff})`
}

const spaceSeen = (actor: Actor, me: string, p: Placeholder): string => {
  const from = `select 1 from spaces s left join space_members m on m.space_id = s.id and m.user_id = ${me} where s.id = n.space_id`
  const seen = found(`${from} and ${visibleSpaces(actor, p)}`)
  const invited = found(`${from} and m.status = 'active' and (s.status <> 'draft' or m.role <> 'member')`)
  return `(case n.type when 'space_join' then ${runsSpace(actor, me, p)} when 'space_invite' then ${invited} else ${seen} end)`
}

/** SQL: the caller runs the course of a notification about one, and its student is still enrolled. */
const courseSeen = (actor: Actor, me: string): string => {
  const runs = managesAllCourses(actor) ? '' : ` and (vc.created_by = ${me} or vc.instructor_id = ${me})`
  const student = `exists (select 1 from notification_actors vk join enrolments ve on ve.user_id = vk.actor_id and ve.course_id = vc.id
    where vk.notification_id = n.id)`
  return `(case n.type when 'course_enrollment' then exists (select 1 from courses vc where vc.id = n.object_id${runs} and ${student})
    when 'lesson_complete' then exists (select 1 from lessons vl join courses vc on vc.id = vl.course_id
      where vl.id = n.object_id${runs} and ${student}) else 1 = 1 end)`
}

/**
 * SQL over cause `k` of notification `n`: what was done still stands, and the caller may see what it was done with. A follower, and who
 * joins a space, is one only as long as he is.
 */
export const visibleCauses = (actor: Actor, p: Placeholder, k = 'k'): string => {
  const me = p(actor.id)
  const active = found(`select 1 from users va where va.id = ${k}.actor_id and va.status = 'active'`)
  const follows = found(`select 1 from followers vf where vf.follower_id = ${k}.actor_id and vf.following_id = ${me}`)
  const joins = found(`select 1 from space_members vj where vj.space_id = n.space_id and vj.user_id = ${k}.actor_id
    and vj.status <> 'banned'`)
  return `${seenCause(k, me)} and (n.type <> 'new_follower' or (${follows} and ${active}))
    and (n.type <> 'space_join' or (${joins} and ${active}))`
}

/**
 * The predicate of every query that tells of notifications: SQL that holds for those of `notifications n` that the caller has not deleted
 * and may see now, with something of what caused them.
 */
export const visibleNotifications = (actor: Actor, p: Placeholder): string => {
  const me = p(actor.id)
  const feed = found(`select 1 from feeds f where f.id = n.feed_id and (f.status = 'published' or f.user_id = ${me})
    and ${feedsInReach(actor, p)}`)
  return `n.user_id = ${me} and n.removed = 0
    and (case when n.feed_id is not null then ${feed} when n.space_id is not null then ${spaceSeen(actor, me, p)} else ${courseSeen(actor, me)} end)
    and ${seenComment('n.comment_id', me)}
    and ${found(`select 1 from notification_actors k where k.notification_id = n.id and ${visibleCauses(actor, p)}`)}`
}
