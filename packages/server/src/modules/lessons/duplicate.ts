import { type api, COURSE_LESSONS, COURSE_TITLE_LENGTH } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { type Db, statement, statementNumber } from '../../db/index.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { audit } from '../audit/index.ts'
import {
  courseFor,
  courseSlugs,
  freeSlug,
  lockedCourseFor,
  managesAllCourses,
  nextCoursePosition,
  nextSectionPosition,
  ownerOf,
  presentSection,
  reconcileCourse,
  recountCourse,
  type Section,
  sectionById,
  sectionIn,
  sectionsOf,
  takenSectionSlugs,
} from '../courses/index.ts'
import { createLessonFeed } from '../feeds/index.ts'
import { copyFiles, type FileCopies } from '../media/index.ts'
import { copyQuiz } from '../quizzes/index.ts'
import { lessonOrder, slugsIn } from './queries.ts'

const nextLessonPosition = statementNumber('select coalesce(max(position), 0) + 1 as n from lessons where course_id = $1')
/** Number of lessons the course would have with those of the section added. */
const combinedCount = statementNumber(
  'select (select count(*) from lessons where course_id = $1) + (select count(*) from lessons where section_id = $2) as n',
)
const copyRequired = statement(
  'insert into course_prerequisites (course_id, required_id) select cast($2 as bigint), required_id from course_prerequisites where course_id = $1',
)

/** Where copies are appended, and the slugs already taken. */
const copyTarget = async (db: Db, courseId: number, owner: number) => ({
  courseId,
  /** Author of the lessons' feeds. */
  owner,
  position: await nextSectionPosition(db, [courseId]),
  sectionSlugs: await takenSectionSlugs(db, courseId),
  lesson: await nextLessonPosition(db, [courseId]),
  lessonSlugs: new Set(await slugsIn(db, [courseId])),
})

/** Copies of the files attached to a course or its lessons. */
const filesOf = async (ctx: WriteRequest, courseId: number): Promise<FileCopies> => {
  const lessons = new Set((await lessonOrder(ctx.db, [courseId])).map(({ id }) => id))
  return copyFiles(ctx, (source, id) => (source === 'course' && id === courseId) || (source === 'lesson' && lessons.has(id)))
}

/**
 * Copies a section with its lessons into a course; the caller must hold its row lock. Comments, completions and attempts are not copied.
 */
const copyInto = async (ctx: WriteRequest, room: Awaited<ReturnType<typeof copyTarget>>, section: Section, files: FileCopies) => {
  const { db, now } = ctx
  const { id } = await db
    .insertInto('course_sections')
    .values({
      ...section,
      id: undefined,
      course_id: room.courseId,
      slug: freeSlug(section.slug, room.sectionSlugs),
      position: room.position++,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lessons = await db
    .selectFrom('lessons')
    .selectAll()
    .where('section_id', '=', section.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  for (const lesson of lessons) {
    const { content, video_url, resources } = lesson
    const copy = await db
      .insertInto('lessons')
      .values({
        ...lesson,
        ...(await files.rewrite({ content, video_url, resources })),
        id: undefined,
        course_id: room.courseId,
        section_id: id,
        feed_id: null,
        slug: freeSlug(lesson.slug, room.lessonSlugs),
        position: room.lesson++,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    files.made('lesson', lesson.id, copy.id)
    await copyQuiz(ctx, lesson.id, copy.id)
    if (lesson.status === 'published') {
      const feedId = await createLessonFeed(db, { lessonId: copy.id, title: lesson.title, userId: room.owner }, now)
      await db.updateTable('lessons').set({ feed_id: feedId }).where('id', '=', copy.id).execute()
    }
  }
  return id
}

const COPY_SUFFIX = ' (Copy)'

/** Duplicates a course without its students, as a draft. @throws course_not_found, rest_forbidden */
const duplicateCourse = async (ctx: WriteRequest, courseId: number) => {
  const { db, actor, now } = ctx
  const original = await courseFor(ctx, courseId, 'manage')
  if (!managesAllCourses(actor)) throw new ApiError('rest_forbidden')
  const row = await db.selectFrom('courses').selectAll().where('id', '=', original.id).executeTakeFirst()
  if (!row) throw new ApiError('course_not_found')
  const title = `${row.title.slice(0, COURSE_TITLE_LENGTH - COPY_SUFFIX.length).toWellFormed()}${COPY_SUFFIX}`
  const slug = await courseSlugs.create(ctx, undefined, title, row.privacy === 'secret')
  const files = await filesOf(ctx, courseId)
  const { logo, cover_photo, featured_image, description, content, settings, lockscreen } = row
  const { id, status } = await db
    .insertInto('courses')
    .values({
      ...row,
      ...(await files.rewrite({ logo, cover_photo, featured_image, description, content, settings, lockscreen })),
      id: undefined,
      title,
      slug,
      status: 'draft',
      created_by: actor.id,
      position: await nextCoursePosition(db),
      sections_count: 0,
      lessons_count: 0,
      students_count: 0,
      created_at: now,
      updated_at: now,
      published_at: null,
    })
    .returning(['id', 'status'])
    .executeTakeFirstOrThrow()
  files.made('course', courseId, id)
  await copyRequired(db, [courseId, id])
  const place = await copyTarget(db, id, ownerOf(row, actor.id))
  for (const section of await sectionsOf(db, [courseId])) await copyInto(ctx, place, section, files)
  await files.store()
  await recountCourse(db, id)
  await audit(ctx, 'course.created', { object_type: 'course', object_id: id, details: { title, copied_from: courseId } })
  await ctx.emit('course.created', { course_id: id, user_id: actor.id })
  return { id, title, slug, status, created_at: now }
}

/**
 * Copies a section into another course; the caller must manage both.
 * @throws course_not_found, section_not_found, rest_forbidden
 */
const copySection = async (ctx: WriteRequest, courseId: number, from: { readonly courseId: number; readonly sectionId: number }) => {
  const { db } = ctx
  const course = await lockedCourseFor(ctx, courseId, 'manage')
  await courseFor(ctx, from.courseId, 'manage')
  const section = await sectionIn(db, from.courseId, from.sectionId)
  if ((await combinedCount(db, [courseId, section.id])) > COURSE_LESSONS)
    throw invalidField('section_id', `would exceed the maximum of ${COURSE_LESSONS} lessons per course`)
  const files = await filesOf(ctx, from.courseId)
  const id = await copyInto(ctx, await copyTarget(db, courseId, ownerOf(course, ctx.actor.id)), section, files)
  await files.store()
  await reconcileCourse(ctx, courseId)
  const details = { course_id: courseId, title: section.title, copied_from: section.id }
  await audit(ctx, 'course_section.created', { object_type: 'course_section', object_id: id, details })
  return (await sectionById(db, [id])) as Section
}

export const courseCopyHandlers: Handlers<typeof api.courseCopies> = {
  course: async (ctx, { params }) => ({ message: 'The course was copied.', data: await duplicateCourse(ctx, params.course_id) }),
  section: async (ctx, { params, body: { section_id, from_course_id } }) => {
    const section = await copySection(ctx, params.course_id, { courseId: from_course_id, sectionId: section_id })
    return { message: 'The section was copied.', data: await presentSection(ctx.db, section) }
  },
}
