import type { Actor, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, type MediaRow, statement, statementOne } from '../../db/index.ts'
import { commentFor } from '../comments/index.ts'
import { courseAbilities, lessonCourse, lessonFor, loadCourse } from '../courses/index.ts'
import { feedAbilities, isUnlocked, loadFeedAccess } from '../feeds/index.ts'
import { profileAbilities, profileById } from '../members/index.ts'
import { readPage } from '../settings/index.ts'
import { loadSpace, spaceAbilities } from '../spaces/index.ts'
import type { RedirectRow } from './queries.ts'

type Context = Pick<ReadContext, 'db' | 'now'> & { readonly actor: Actor | null }
type SignedIn = Context & { readonly actor: Actor }

/** Without a sign-in, somebody may know of what every member sees. */
const STRANGER: Actor = {
  ...{ id: 0, username: '', role: 'member', permissions: new Set(), managedSpaces: null, createdAt: '', sessionId: null },
}

const allowed = (check: Promise<unknown>): Promise<boolean> =>
  check.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false
      throw error
    },
  )

const holderOf = statementOne<Pick<MediaRow, 'object_source' | 'object_id'>>(
  `select object_source, object_id from media where id = $1 and status = 'active'`,
)
const topicById = statementOne<{ is_global: 0 | 1 }>(`select is_global from topics where id = $1 and status = 'active'`)
const spacesOfTopic = statement<{ space_id: number }>('select space_id from topic_spaces where topic_id = $1')

const seesSpace = async (db: Db, actor: Actor, id: number): Promise<boolean> => {
  const space = await loadSpace(db, id, actor.id)
  if (!space) return false
  const { view, read } = spaceAbilities(actor, space)
  return actor === STRANGER ? read : view
}

const seesTopic = async (db: Db, actor: Actor, id: number): Promise<boolean> => {
  const topic = await topicById(db, [id])
  if (!topic || topic.is_global === 1) return topic !== undefined
  for (const { space_id } of await spacesOfTopic(db, [id])) if (await seesSpace(db, actor, space_id)) return true
  return false
}

const seesFeed = async (ctx: SignedIn, id: number): Promise<boolean> => {
  const feed = await loadFeedAccess(ctx.db, id, ctx.actor.id)
  return feed !== undefined && feedAbilities(ctx.actor, feed).view && (await isUnlocked(ctx, feed))
}

const seesCourse = async (db: Db, actor: Actor, id: number): Promise<boolean> => {
  const course = await loadCourse(db, id, actor.id)
  return course !== undefined && courseAbilities(actor, course).view && (actor !== STRANGER || course.privacy === 'public')
}

const seesLesson = async (ctx: SignedIn, id: number): Promise<boolean> => {
  const found = await lessonCourse(ctx.db, [id])
  if (!found || !(await seesCourse(ctx.db, ctx.actor, found.course_id))) return false
  return allowed(lessonFor(ctx, found.course_id, id, 'view'))
}

const seesProfile = async (db: Db, actor: Actor, id: number): Promise<boolean> => {
  const [profile, privacy] = [await profileById(db, [id]), await readPage(db, 'privacy')]
  if (!profile || (actor === STRANGER && privacy.profile_page_visibility !== 'everybody')) return false
  return profileAbilities(actor, profile, privacy).view
}

/** A file is visible to members who see the object to which it belongs; profile pictures are visible to everybody. */
const seesFile = async (ctx: SignedIn, id: number): Promise<boolean> => {
  const file = await holderOf(ctx.db, [id])
  if (!file || file.object_id === null) return false
  const { object_source: source, object_id: holder } = file
  if (source === 'profile') return true
  return ctx.actor !== STRANGER && OBJECTS[source](ctx, holder)
}

const seesComment = (ctx: SignedIn, id: number): Promise<boolean> => allowed(commentFor(ctx, id, 'view'))

const OBJECTS = {
  feed: seesFeed,
  comment: seesComment,
  course: ({ db, actor }: SignedIn, id: number) => seesCourse(db, actor, id),
  lesson: seesLesson,
  space: ({ db, actor }: SignedIn, id: number) => seesSpace(db, actor, id),
}

/** Whether the caller (null: somebody who has not signed in) may know of the object to which a redirect leads. */
export const maySee = async (ctx: Context, row: RedirectRow): Promise<boolean> => {
  const { db } = ctx
  const actor = ctx.actor ?? STRANGER
  const as = { ...ctx, actor }
  if (row.user_id !== null) return seesProfile(db, actor, row.user_id)
  if (row.space_id !== null) return seesSpace(db, actor, row.space_id)
  if (row.comment_id !== null) return seesComment(as, row.comment_id)
  if (row.feed_id !== null) return seesFeed(as, row.feed_id)
  if (row.topic_id !== null) return seesTopic(db, actor, row.topic_id)
  if (row.lesson_id !== null) return seesLesson(as, row.lesson_id)
  if (row.course_id !== null) return seesCourse(db, actor, row.course_id)
  return row.media_id !== null && seesFile(as, row.media_id)
}
