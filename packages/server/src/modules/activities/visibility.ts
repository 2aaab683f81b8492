import { isStaffEverywhere, staffSpaces } from '../../auth/permissions.ts'
import type { Actor } from '../../core/context.ts'
import { found, type Placeholder } from '../../db/index.ts'
import { managesAllCourses, visibleCourses } from '../courses/index.ts'
import { visibleFeeds } from '../feeds/index.ts'
import { spacesWithVisibleMembers } from '../spaces/index.ts'

/** SQL: the feed of activity `a` is seen; where a list is of one space, the feed is still there. */
const feedIsSeen = (actor: Actor, p: Placeholder, spaceId: number | undefined): string => {
  const here = spaceId === undefined ? '' : ` and f.space_id = ${p(spaceId)}`
  return found(`select 1 from feeds f where f.id = a.feed_id${here} and ${visibleFeeds(actor, p)}`)
}

/** SQL: activity `a`, which is about no feed, is about no space either, or about one that is seen. */
const spaceIsSeen = (actor: Actor, p: Placeholder, me: string): string => {
  if (isStaffEverywhere(actor)) return '1 = 1'
  const staff = staffSpaces(actor)
  const managed = staff.length > 0 ? ` or a.space_id in (${staff.map(p).join(', ')})` : ''
  const seen =
    found(`select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
    where vs.id = a.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin')) and (vm.id is not null or vs.privacy = 'public')`)
  return `(a.space_id is null or ${seen}${managed})`
}

/**
 * SQL: activity `a` is not about a course, or what was done in it stands and the caller sees it: in a public course everybody who sees that,
 * in others who is in it too.
 */
const courseIsSeen = (actor: Actor, p: Placeholder, me: string): string => {
  const inside = `(c.privacy = 'public' or a.user_id = ${me} or n.id is not null or c.created_by = ${me} or c.instructor_id = ${me})`
  const seen = `${visibleCourses(actor, p)}${managesAllCourses(actor) ? '' : ` and ${inside}`}`
  const enrolled = found(`select 1 from courses c join enrolments ce on ce.course_id = c.id and ce.user_id = a.user_id
    left join enrolments n on n.course_id = c.id and n.user_id = ${me} where c.id = a.object_id and ${seen}`)
  const completed = found(`select 1 from lesson_completions d join courses c on c.id = d.course_id
    left join enrolments n on n.course_id = c.id and n.user_id = ${me} where d.lesson_id = a.object_id and d.user_id = a.user_id and ${seen}`)
  return `(case a.action_type when 'course_enrolled' then ${enrolled} when 'lesson_completed' then ${completed} else 1 = 1 end)`
}

/** SQL over person `person` (a column): he is active, and his profile is not private, or the caller's own, or followed by the caller. */
const isOpenTo = (me: string, person: string): string =>
  found(`select 1 from users pu where pu.id = ${person} and pu.status = 'active' and (pu.is_private = 0 or pu.id = ${me}
    or exists (select 1 from followers pf where pf.follower_id = ${me} and pf.following_id = pu.id and pf.status = 'active'))`)

/** SQL: what activity `a` tells of people may be told: of suspended ones nothing, of private ones what they wrote where it is seen. */
const peopleAreSeen = (actor: Actor, me: string): string => {
  if (actor.role !== 'member') return '1 = 1'
  return `(case a.action_type when 'profile_updated' then ${isOpenTo(me, 'a.user_id')}
    when 'follow_user' then ${isOpenTo(me, 'a.user_id')} and ${isOpenTo(me, 'a.object_id')}
    else ${found(`select 1 from users au where au.id = a.user_id and au.status = 'active'`)} end)`
}

/**
 * SQL over activity `a`: it must not tell of what the caller may not see. Bookmarks are nobody else's business, and who joined a space is
 * for those who may see its members.
 */
export const isVisibleActivity = (actor: Actor, p: Placeholder, spaceId?: number): string => {
  const me = p(actor.id)
  const joined = found(`select 1 from spaces js left join space_members jm on jm.space_id = js.id and jm.user_id = ${me}
    where js.id = a.space_id and ${spacesWithVisibleMembers(actor, p, 'js', 'jm')}`)
  return `(a.action_type <> 'bookmark_added' or a.user_id = ${me})
    and (a.action_type <> 'space_joined' or a.user_id = ${me} or ${joined})
    and (case when a.feed_id is null then ${spaceIsSeen(actor, p, me)} else ${feedIsSeen(actor, p, spaceId)} end)
    and ${courseIsSeen(actor, p, me)}
    and (a.comment_id is null or ${found(`select 1 from comments c where c.id = a.comment_id and c.status = 'published'`)})
    and ${peopleAreSeen(actor, me)}`
}
