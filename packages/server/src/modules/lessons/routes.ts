import { api, type ResponseOf } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { besideRead } from '../../core/read-guard.ts'
import { type Handlers, messageAfter, prepared } from '../../http/pipeline/route-handlers.ts'
import {
  type CourseAbilities,
  type CourseFor,
  courseAbilities,
  courseFor,
  type LessonFor,
  type LessonLock,
  type LessonRecord,
  lessonFor,
  lessonIn,
  locksOf,
  recordLessonAccess,
} from '../courses/index.ts'
import { shownQuiz } from '../quizzes/index.ts'
import {
  createLesson,
  duplicateLesson,
  moveLesson,
  prepareLesson,
  removeLesson,
  reorderLessons,
  reorderSection,
  updateLesson,
} from './commands.ts'
import { withLessons } from './list.ts'
import { commentsUnder, contentsOf, type ListedLesson, lessonWithSlug, listLessons, listSection } from './queries.ts'
import { viewLesson } from './view.ts'

/** Lessons in order, each with its lock for the caller. */
const viewList = (
  course: CourseFor,
  { manage, learn }: CourseAbilities,
  rows: readonly (LessonRecord & Pick<ListedLesson, 'comments_count'>)[],
  now: string,
) => {
  const locks = locksOf(course, manage, rows, now)
  return rows.map((row, i) => viewLesson(row, locks[i] as LessonLock, learn ? row.comments_count : null))
}

/** Opening the same lesson again within this many seconds is not recorded. */
const VISIT_S = 60

/** Records that a student opened a lesson. A failure to record does not fail the request. */
const recordAccess = async ({ services, now }: ReadRequest, { id, course }: LessonFor) => {
  const { my_enrolment_id, my_last_accessed_at, my_last_lesson_id } = course
  if (my_enrolment_id === null) return
  const since = my_last_accessed_at === null ? Number.POSITIVE_INFINITY : Date.parse(`${now}Z`) - Date.parse(`${my_last_accessed_at}Z`)
  if (my_last_lesson_id === id && since < VISIT_S * 1000) return
  await besideRead(() => services.database.write((db) => recordLessonAccess(db, [my_enrolment_id, now, id]))).catch((error: unknown) =>
    services.log.warn({ event: 'lesson_access_not_recorded', err: error }, 'failed to record a lesson access'),
  )
}

const openLesson = async (ctx: ReadRequest, lesson: LessonFor): Promise<ResponseOf<typeof api.lessons.byId>> => {
  const { manage, learn } = courseAbilities(ctx.actor, lesson.course)
  const view = viewLesson(lesson, lesson.lock, learn ? await commentsUnder(ctx.db, lesson.feed_id) : null)
  if (view.is_locked) return { data: view }
  await recordAccess(ctx, lesson)
  const quiz = lesson.type === 'quiz' ? await shownQuiz(ctx, lesson.id, manage) : null
  return { data: { ...view, ...(quiz && { quiz }) } }
}

export const lessonHandlers: Handlers<typeof api.lessons> = {
  list: async (ctx, { params, query }) => {
    const course = await courseFor(ctx, params.course_id, 'view')
    const abilities = courseAbilities(ctx.actor, course)
    const rows = await listLessons(ctx.db, course.id, ctx.actor.id, { drafts: abilities.manage })
    const views = viewList(course, abilities, rows, ctx.now)
    if (query.fields === 'summary') return { data: views }
    return withLessons(ctx, rows, views, (data) => ({ data }), 'data')
  },

  byId: async (ctx, { params }) => openLesson(ctx, await lessonFor(ctx, params.course_id, params.lesson_id, 'view')),
  bySlug: async (ctx, { params }) => {
    const course = await courseFor(ctx, params.course_slug, 'view')
    const found = await lessonWithSlug(ctx.db, [course.id, params.lesson_slug])
    if (!found) throw new ApiError('lesson_not_found')
    return openLesson(ctx, await lessonIn(ctx, course, found.id))
  },

  update: prepared(
    api.lessons.update,
    (ctx, { params, body }) => prepareLesson(ctx, params.course_id, params.lesson_id, body),
    async (ctx, { params, body }, content) => ({
      message: 'The lesson was updated.',
      data: await updateLesson(ctx, params.course_id, params.lesson_id, body, content),
    }),
  ),

  remove: (ctx, { params }) => messageAfter(removeLesson(ctx, params.course_id, params.lesson_id), 'The lesson was deleted.'),

  reorder: async (ctx, { params, body }) => ({
    message: 'The lessons were reordered.',
    data: await reorderLessons(ctx, params.course_id, body.lesson_ids),
  }),
}

export const adminLessonHandlers: Handlers<typeof api.adminLessons> = {
  list: async ({ db, actor, now, ...ctx }, { params, query }) => {
    const course = await courseFor({ ...ctx, db, actor }, params.course_id, 'manage')
    const section = query.section_id ?? query.topic_id
    const rows =
      section === undefined
        ? await listLessons(db, course.id, actor.id, { drafts: true })
        : await listSection(db, course.id, actor.id, section)
    const views = viewList(course, courseAbilities(actor, course), rows, now)
    if (query.fields === 'summary') return { lessons: views }
    return withLessons({ db, services: ctx.services }, rows, views, (lessons) => ({ lessons }), 'lessons')
  },

  create: async (ctx, { params, body }) => ({ message: 'The lesson was created.', data: await createLesson(ctx, params.course_id, body) }),

  duplicate: async (ctx, { params }) => ({
    message: 'The lesson was copied.',
    data: await duplicateLesson(ctx, params.course_id, params.lesson_id),
  }),

  move: (ctx, { params, body }) => messageAfter(moveLesson(ctx, params.course_id, body), 'The lesson was moved.'),

  reorder: async (ctx, { params, body }) => {
    const { course_id, section_id } = params
    await reorderSection(ctx, course_id, section_id, body.indexes)
    const course = await courseFor(ctx, course_id, 'manage')
    const rows = await listSection(ctx.db, course_id, ctx.actor.id, section_id)
    const contents = await contentsOf(
      ctx.db,
      rows.map(({ id }) => id),
    )
    const whole = rows.map((row) => ({ ...row, content: contents.get(row.id) ?? '' }))
    return { message: 'The lessons were reordered.', lessons: viewList(course, courseAbilities(ctx.actor, course), whole, ctx.now) }
  },
}
