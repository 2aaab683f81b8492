import { randomSuffix, slugify } from '@lyceum/content'
import { type api, type BodyOf, COURSE_LESSONS, LESSON_SLUG_LENGTH, LESSON_TITLE_LENGTH } from '@lyceum/contract'
import type { ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { lockRow, type Tables } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import {
  type CourseFor,
  closeLessonGaps,
  isPublished,
  type LessonFor,
  lessonFor,
  lessonIn,
  lockedCourseFor,
  ownerOf,
  reconcileCourse,
} from '../courses/index.ts'
import { createLessonFeed, removeLessonFeed, renameLessonFeed } from '../feeds/index.ts'
import { attachMedia, copyFiles, detachMedia } from '../media/index.ts'
import { copyQuiz, saveQuiz } from '../quizzes/index.ts'
import { moveAfter, moveToPosition, moveToSection, reordered } from './positions.ts'
import { lessonOrder, lessonWithSlug, type SectionRef, saveOrder, sectionIn } from './queries.ts'
import { cleanContent, cleanTitle, columnsOf } from './validation.ts'

type UpdateBody = BodyOf<typeof api.lessons.update>

/** @throws section_not_found if it belongs to another course */
const sectionOf = async ({ db }: WriteRequest, course: CourseFor, sectionId: number): Promise<SectionRef> => {
  const section = await sectionIn(db, [sectionId, course.id])
  if (!section) throw new ApiError('section_not_found')
  return section
}

/** A slug that is unique in the course, whose row the caller must have locked. */
const freeSlug = async ({ db }: WriteRequest, courseId: number, title: string): Promise<string> => {
  const wanted = slugify(title, LESSON_SLUG_LENGTH - 7) || 'lesson'
  return (await lessonWithSlug(db, [courseId, wanted])) ? `${wanted}-${randomSuffix()}` : wanted
}

/** @throws duplicate_slug */
const claimSlug = async ({ db }: WriteRequest, { id, course_id }: LessonFor, slug: string): Promise<void> => {
  const other = await lessonWithSlug(db, [course_id, slug])
  if (other && other.id !== id) throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
}

const checkRoom = (lessons: number) => {
  if (lessons >= COURSE_LESSONS)
    throw invalidField('section_id', `belongs to a course that already has the maximum of ${COURSE_LESSONS} lessons`)
}

const auditLesson = (
  ctx: WriteRequest,
  verb: 'created' | 'updated' | 'deleted',
  { id, course_id, title }: Pick<LessonFor, 'id' | 'course_id' | 'title'>,
  details: object = {},
) => audit(ctx, `lesson.${verb}`, { object_type: 'lesson', object_id: id, details: { course_id, title, ...details } })

const auditOrder = (ctx: WriteRequest, courseId: number) =>
  audit(ctx, 'course.updated', { object_type: 'course', object_id: courseId, details: { fields: ['lessons'] } })

type NewLesson = Partial<Tables['lessons']> & Pick<Tables['lessons'], 'section_id' | 'type' | 'title'>

/** Inserts a draft, whose position the caller must set. Returns its id. */
const insertDraft = async (ctx: WriteRequest, courseId: number, lesson: NewLesson): Promise<number> => {
  const { db, now } = ctx
  const slug = await freeSlug(ctx, courseId, lesson.title)
  const { id } = await db
    .insertInto('lessons')
    .values({ ...lesson, course_id: courseId, position: 0, slug, feed_id: null, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Creates a draft at the end of its section. */
export const createLesson = async (ctx: WriteRequest, courseId: number, { type, ...body }: BodyOf<typeof api.adminLessons.create>) => {
  const { db, now } = ctx
  const course = await lockedCourseFor(ctx, courseId, 'manage')
  const title = cleanTitle(body.title)
  const section = await sectionOf(ctx, course, body.section_id)
  checkRoom((await lessonOrder(db, [courseId])).length)
  const id = await insertDraft(ctx, courseId, { section_id: section.id, type, title })
  const order = await moveToSection(db, courseId, id, section.id)
  await auditLesson(ctx, 'created', { id, course_id: courseId, title })
  return { id, course_id: courseId, title, order, created_at: now }
}

/** Locks the lesson's feed, then its course, then the lesson itself. */
const lockedLessonFor = async (ctx: WriteRequest, courseId: number, lessonId: number): Promise<LessonFor> => {
  const { feed_id } = await lessonFor(ctx, courseId, lessonId, 'manage')
  if (feed_id !== null) await lockRow(ctx.db, 'feeds', feed_id)
  const course = await lockedCourseFor(ctx, courseId, 'manage')
  await lockRow(ctx.db, 'lessons', lessonId)
  return lessonIn(ctx, course, lessonId)
}

/** Sanitizes the content. @throws invalid_content; rest_forbidden before the content is parsed */
export const prepareLesson = async (ctx: ReadRequest, courseId: number, lessonId: number, { content }: UpdateBody) => {
  await lessonFor(ctx, courseId, lessonId, 'manage')
  return content === undefined ? undefined : cleanContent(content)
}

/** Creates the feed when a lesson is first published; renames an existing one. */
const feedOf = async ({ db, now, actor }: WriteRequest, lesson: LessonFor, title: string, isOut: boolean): Promise<number | null> => {
  if (lesson.feed_id !== null) {
    if (title !== lesson.title) await renameLessonFeed(db, lesson.feed_id, title)
    return lesson.feed_id
  }
  return isOut ? createLessonFeed(db, { lessonId: lesson.id, title, userId: ownerOf(lesson.course, actor.id) }, now) : null
}

export const updateLesson = async (
  ctx: WriteRequest,
  courseId: number,
  lessonId: number,
  body: UpdateBody,
  content: string | undefined,
) => {
  const { db, now } = ctx
  const lesson = await lockedLessonFor(ctx, courseId, lessonId)
  const columns = columnsOf(body)
  const section = body.section_id === undefined ? undefined : await sectionOf(ctx, lesson.course, body.section_id)
  if (columns.slug !== undefined) await claimSlug(ctx, lesson, columns.slug)
  if (body.quiz !== undefined) {
    if (lesson.type !== 'quiz') throw invalidField('quiz', 'is only for lessons of type quiz')
    await saveQuiz(ctx, lesson, body.quiz)
  }
  const title = columns.title ?? lesson.title
  const status = body.status ?? lesson.status
  const isMoved = section !== undefined && section.id !== lesson.section_id
  const feed_id = await feedOf(ctx, lesson, title, status === 'published')
  await db
    .updateTable('lessons')
    .set({
      ...columns,
      ...(content !== undefined && { content }),
      status,
      feed_id,
      section_id: section?.id ?? lesson.section_id,
      updated_at: now,
    })
    .where('id', '=', lessonId)
    .execute()
  const urls = [content ?? lesson.content, columns.video_url ?? lesson.video_url, columns.resources ?? lesson.resources]
  await attachMedia(ctx, { source: 'lesson', objectId: lessonId, urls })
  if (body.order !== undefined) await moveToPosition(db, courseId, lessonId, body.order)
  else if (isMoved) await moveToSection(db, courseId, lessonId, section.id)

  const [was, is] = [isPublished(lesson), status === 'published' && (section?.status ?? lesson.section_status) === 'published']
  if (was !== is) await reconcileCourse(ctx, courseId)
  if (status === 'published' && lesson.status !== 'published')
    await ctx.emit('lesson.published', { lesson_id: lessonId, course_id: courseId })
  await auditLesson(ctx, 'updated', { id: lessonId, course_id: courseId, title }, { fields: Object.keys(body) })
  return { id: lessonId, title, updated_at: now }
}

/** Moves a lesson to the end of another section of its course. */
export const moveLesson = async (ctx: WriteRequest, courseId: number, { lesson_id, section_id }: BodyOf<typeof api.adminLessons.move>) =>
  updateLesson(ctx, courseId, lesson_id, { section_id }, undefined)

/** Deletes a lesson with its feed, comments and progress. */
export const removeLesson = async (ctx: WriteRequest, courseId: number, lessonId: number): Promise<void> => {
  const lesson = await lockedLessonFor(ctx, courseId, lessonId)
  if (lesson.feed_id !== null) await removeLessonFeed(ctx, lesson.feed_id)
  await ctx.db.deleteFrom('lessons').where('id', '=', lessonId).execute()
  await detachMedia(ctx, 'lesson', lessonId)
  await closeLessonGaps(ctx.db, [courseId])
  if (isPublished(lesson)) await reconcileCourse(ctx, courseId)
  await auditLesson(ctx, 'deleted', lesson)
  await ctx.emit('lesson.deleted', { lesson_id: lessonId, course_id: courseId, user_id: ctx.actor.id })
}

/** Reorders the lessons of a course. @throws invalid_data unless the ids are exactly the lessons of the course */
export const reorderLessons = async (ctx: WriteRequest, courseId: number, ids: readonly number[]) => {
  await lockedCourseFor(ctx, courseId, 'manage')
  const known = new Set((await lessonOrder(ctx.db, [courseId])).map(({ id }) => id))
  const isExact = ids.length === known.size && new Set(ids).size === ids.length && ids.every((id) => known.has(id))
  if (!isExact) throw invalidField('lesson_ids', 'must contain each lesson of the course exactly once')
  await saveOrder(ctx.db, ids)
  await auditOrder(ctx, courseId)
  return ids.map((id, i) => ({ id, order: i + 1 }))
}

/**
 * Moves lessons to these positions within their section; the rest keep their order, and other sections are not affected.
 * @throws course_not_found, section_not_found, rest_forbidden, invalid_data
 */
export const reorderSection = async (ctx: WriteRequest, courseId: number, sectionId: number, indexes: Readonly<Record<string, number>>) => {
  const course = await lockedCourseFor(ctx, courseId, 'manage')
  await sectionOf(ctx, course, sectionId)
  const order = await lessonOrder(ctx.db, [courseId])
  const own = order.filter(({ section_id }) => section_id === sectionId).map(({ id }) => id)
  const known = new Set(own.map(String))
  if (!Object.keys(indexes).every((id) => known.has(id))) throw invalidField('indexes', 'must contain only lessons of this section')
  const ordered = reordered(own, indexes)
  await saveOrder(
    ctx.db,
    order.map(({ id, section_id }) => (section_id === sectionId ? (ordered.shift() as number) : id)),
  )
  await auditOrder(ctx, courseId)
}

const COPY_SUFFIX = ' (Copy)'

/** Duplicates a lesson as a draft after the original. */
export const duplicateLesson = async (ctx: WriteRequest, courseId: number, lessonId: number) => {
  const { db, now } = ctx
  const lesson = await lockedLessonFor(ctx, courseId, lessonId)
  const positions = await lessonOrder(db, [courseId])
  checkRoom(positions.length)
  const title = [...lesson.title].slice(0, LESSON_TITLE_LENGTH - COPY_SUFFIX.length).join('') + COPY_SUFFIX
  const { section_id, type, is_preview, video_url, duration, resources, settings, content } = lesson
  const lessons = new Set(positions.map((one) => one.id))
  const files = copyFiles(ctx, (source, holder) => source === 'lesson' && lessons.has(holder))
  const kept = { section_id, type, is_preview, duration, settings, ...(await files.rewrite({ video_url, resources, content })) }
  const id = await insertDraft(ctx, courseId, { ...kept, title })
  files.made('lesson', lessonId, id)
  await files.store()
  if (type === 'quiz') await copyQuiz(ctx, lessonId, id)
  const order = await moveAfter(db, courseId, id, lessonId)
  await auditLesson(ctx, 'created', { id, course_id: courseId, title }, { copied_from: lessonId })
  return { id, course_id: courseId, title, order, created_at: now }
}
