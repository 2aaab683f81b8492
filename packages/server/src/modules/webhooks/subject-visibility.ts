import { isStaff, isStaffEverywhere } from '../../auth/authenticate.ts'
import type { ReadContext } from '../../core/context.ts'
import { type CommentAbilities, commentAbilities, loadComment, presentComment } from '../comments/index.ts'
import { courseAbilities, loadCourse, managesAllCourses, viewCourse, visibleCourse } from '../courses/index.ts'
import { type FeedFor, feedAbilities, isUnlocked, loadFeed, loadFeedAccess, viewFeeds } from '../feeds/index.ts'
import { profileAbilities } from '../members/index.ts'
import { mayHandleReport } from '../moderation/index.ts'
import { readPage } from '../settings/index.ts'
import { loadSpace, presentSpaces, type SpaceAbility, spaceAbilities } from '../spaces/index.ts'
import type { CreatorAccess } from './access.ts'
import { memberOf, reportOf, reportPlaceOf, standingOf } from './payload-records.ts'

type Data = Readonly<Record<string, unknown>>
type Context = Pick<ReadContext, 'db' | 'now' | 'services'>

/** A record as the creator sees it; null if it is deleted or hidden. */
interface VisibleRecord {
  readonly view: Data | null
  readonly author?: number
}

/** Unpublished feeds are private. */
const isPublishedFeed = ({ status }: Pick<FeedFor, 'status'>) => status !== 'draft' && status !== 'scheduled'

/** The feed, without the creator's own reaction and bookmark. */
export const seeFeed = async (ctx: Context, { actor }: CreatorAccess, id: number): Promise<VisibleRecord> => {
  const row = await loadFeed(ctx.db, id, actor.id)
  if (!row) return { view: null }
  const sees = isPublishedFeed(row) && feedAbilities(actor, row).view && (await isUnlocked({ ...ctx, actor }, row))
  const [view] = sees ? await viewFeeds({ ...ctx, actor }, [{ ...row, my_reaction: null, my_bookmark: null }]) : []
  return { view: view ?? null, author: row.user_id }
}

export const seeComment = async (ctx: Context, eyes: CreatorAccess, id: number): Promise<VisibleRecord> => {
  const row = await loadComment(ctx.db, id, eyes.actor.id)
  if (!row) return { view: null }
  const can = await commentRights(ctx, eyes, row.post_id, row)
  return { view: can?.view ? await presentComment(ctx.db, { ...row, my_reaction: null }) : null, author: row.user_id }
}

type About = Parameters<typeof commentAbilities>[1]

/** The creator's abilities for a comment; undefined if they cannot see its feed. */
const commentRights = async (
  ctx: Context,
  { actor }: CreatorAccess,
  feedId: number,
  comment: About,
): Promise<CommentAbilities | undefined> => {
  const feed = await loadFeedAccess(ctx.db, feedId, actor.id)
  if (!feed || !isPublishedFeed(feed) || !feedAbilities(actor, feed).view || !(await isUnlocked({ ...ctx, actor }, feed))) return undefined
  return commentAbilities(actor, comment, feed)
}

/** Whether the creator could see a deleted comment: they see its feed, and the comment was visible to all its readers. */
export const couldSeeComment = async (
  ctx: Context,
  eyes: CreatorAccess,
  gone: { feedId: number; authorId: number; byAll: boolean },
): Promise<boolean> => {
  const status = gone.byAll ? 'published' : 'pending'
  return Boolean((await commentRights(ctx, eyes, gone.feedId, { user_id: gone.authorId, status }))?.view)
}

export const canInSpace = async ({ db }: Context, { actor }: CreatorAccess, spaceId: number, ability: SpaceAbility): Promise<boolean> => {
  const space = await loadSpace(db, spaceId, actor.id)
  return space ? spaceAbilities(actor, space)[ability] : isStaffEverywhere(actor)
}

/** Whether the creator sees public content of a space; 0: outside of spaces. */
export const seesPlace = async (ctx: Context, eyes: CreatorAccess, placeId: number | undefined): Promise<boolean> =>
  placeId !== undefined && (placeId === 0 || (await canInSpace(ctx, eyes, placeId, 'read')))

/** Whether the creator is staff there, and so could see anything. */
export const worksIn = ({ actor }: CreatorAccess, spaceId: number | undefined): boolean => isStaff(actor, spaceId ?? null)

export const seeSpace = async ({ db }: Context, { actor }: CreatorAccess, id: number): Promise<VisibleRecord> => {
  const row = await loadSpace(db, id, actor.id)
  const [view] = row && spaceAbilities(actor, row).view ? await presentSpaces({ db, actor }, [row]) : []
  return { view: view ?? null }
}

/** A member's directory entry. Webhook managers are staff, who may see the last activity. */
export const seePerson = async ({ db }: Context, { actor }: CreatorAccess, id: number): Promise<VisibleRecord> => {
  const standing = await standingOf(db, id)
  const sees = standing && profileAbilities(actor, standing, await readPage(db, 'privacy')).view
  return { view: sees ? await memberOf(db, id) : null }
}

/** A follow is visible in the profiles of both members. */
export const seesFollow = async (ctx: Context, eyes: CreatorAccess, a: number, b: number): Promise<boolean> => {
  if (a === eyes.actor.id || b === eyes.actor.id) return true
  const [one, other] = [await seePerson(ctx, eyes, a), await seePerson(ctx, eyes, b)]
  return one.view !== null && other.view !== null
}

/** The course, without the creator's own enrolment. */
export const seeCourse = async ({ db }: Context, { actor }: CreatorAccess, id: number): Promise<VisibleRecord> => {
  const course = await loadCourse(db, id, actor.id)
  const sees = course && courseAbilities(actor, course).view
  return { view: sees ? viewCourse(visibleCourse(actor, { ...course, my_enrolment_id: null })) : null }
}

/** If the course is deleted, whether the creator manages all courses. */
export const managesCourse = async ({ db }: Context, { actor }: CreatorAccess, courseId: number): Promise<boolean> => {
  const course = await loadCourse(db, courseId, actor.id)
  return course ? courseAbilities(actor, course).manage : managesAllCourses(actor)
}

/** Students and their progress are visible to managers of the course, and to the students themselves. */
export const seesStudent = async (ctx: Context, eyes: CreatorAccess, courseId: number, userId: number): Promise<boolean> =>
  userId === eyes.actor.id || (await managesCourse(ctx, eyes, courseId))

export const seeReport = async ({ db }: Context, { actor }: CreatorAccess, id: number): Promise<VisibleRecord> => {
  const place = await reportPlaceOf(db, id)
  return { view: place && mayHandleReport(actor, 'view_reports', place) ? await reportOf(db, id) : null }
}
