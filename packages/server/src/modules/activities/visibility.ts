import { isStaffEverywhere, staffSpaces } from '../../auth/authenticate.ts'
import type { Actor } from '../../core/context.ts'
import { exists, type Placeholder } from '../../db/index.ts'
import { managesAllCourses, visibleCourses } from '../courses/index.ts'
import { visibleFeeds } from '../feeds/index.ts'
import { spacesWithVisibleMembers } from '../spaces/index.ts'

/** SQL condition: the feed of activity `a` is visible; in a list of one space, it is still in that space. */
const feedIsVisible = (actor: Actor, p: Placeholder, spaceId: number | undefined): string => {
  const here = spaceId === undefined ? '' : ` and f.space_id = ${p(spaceId)}`
  return exists(`select 1 from feeds f where f.id = a.feed_id${here} and ${visibleFeeds(actor, p)}`)
}

/** SQL condition: activity `a`, which has no feed, has no space either, or a visible one. */
const spaceIsVisible = (actor: Actor, p: Placeholder, me: string): string => {
  if (isStaffEverywhere(actor)) return '1 = 1'
  const staff = staffSpaces(actor)
  const managed = staff.length > 0 ? ` or a.space_id in (${staff.map(p).join(', ')})` : ''
  const visible =
    exists(`select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
    where vs.id = a.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin')) and (vm.id is not null or vs.privacy = 'public')`)
  return `(a.space_id is null or ${visible}${managed})`
}

/**
 * SQL condition: activity `a` is not about a course, or its enrolment or completion still exists and is visible to the caller: in public
 * courses to all who see the course, in others to its participants.
 */
const courseIsVisible = (actor: Actor, p: Placeholder, me: string): string => {
  const mayReadCourse = `(c.privacy = 'public' or a.user_id = ${me} or n.id is not null or c.created_by = ${me} or c.instructor_id = ${me})`
  const visible = `${visibleCourses(actor, p)}${managesAllCourses(actor) ? '' : ` and ${mayReadCourse}`}`
  const enrolled = exists(`select 1 from courses c join enrolments ce on ce.course_id = c.id and ce.user_id = a.user_id
    left join enrolments n on n.course_id = c.id and n.user_id = ${me} where c.id = a.object_id and ${visible}`)
  const completed = exists(`select 1 from lesson_completions d join courses c on c.id = d.course_id
    left join enrolments n on n.course_id = c.id and n.user_id = ${me} where d.lesson_id = a.object_id and d.user_id = a.user_id and ${visible}`)
  return `(case a.action_type when 'course_enrolled' then ${enrolled} when 'lesson_completed' then ${completed} else 1 = 1 end)`
}

/**
 * SQL condition on the user id in column `person`: the account is active, and its profile is public, the caller's own, or followed by the
 * caller.
 */
const isOpenTo = (me: string, person: string): string =>
  exists(`select 1 from users pu where pu.id = ${person} and pu.status = 'active' and (pu.is_private = 0 or pu.id = ${me}
    or exists (select 1 from followers pf where pf.follower_id = ${me} and pf.following_id = pu.id and pf.status = 'active'))`)

/** SQL condition on the people of activity `a`: nothing about inactive accounts, and of private profiles only the content they posted. */
const peopleAreVisible = (actor: Actor, me: string): string => {
  if (actor.role !== 'member') return '1 = 1'
  return `(case a.action_type when 'profile_updated' then ${isOpenTo(me, 'a.user_id')}
    when 'follow_user' then ${isOpenTo(me, 'a.user_id')} and ${isOpenTo(me, 'a.object_id')}
    else ${exists(`select 1 from users au where au.id = a.user_id and au.status = 'active'`)} end)`
}

/**
 * SQL condition: the caller may see activity `a`. Bookmarks are visible only to their owner, and joins only to those who may see the
 * members of the space.
 */
export const isVisibleActivity = (actor: Actor, p: Placeholder, spaceId?: number): string => {
  const me = p(actor.id)
  const mayShowJoin = exists(`select 1 from spaces js left join space_members jm on jm.space_id = js.id and jm.user_id = ${me}
    where js.id = a.space_id and ${spacesWithVisibleMembers(actor, p, 'js', 'jm')}`)
  return `(a.action_type <> 'bookmark_added' or a.user_id = ${me})
    and (a.action_type <> 'space_joined' or a.user_id = ${me} or ${mayShowJoin})
    and (case when a.feed_id is null then ${spaceIsVisible(actor, p, me)} else ${feedIsVisible(actor, p, spaceId)} end)
    and ${courseIsVisible(actor, p, me)}
    and (a.comment_id is null or ${exists(`select 1 from comments oc where oc.id = a.comment_id and oc.status = 'published'`)})
    and ${peopleAreVisible(actor, me)}`
}
