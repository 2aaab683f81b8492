import type { api } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { audit } from '../audit/index.ts'
import {
  completeLesson,
  courseAbilities,
  courseFor,
  lessonFor,
  lockLesson,
  percentageOf,
  recordLessonAccess,
  resetProgress,
  uncompleteLesson,
} from '../courses/index.ts'
import { canBeTaken } from '../quizzes/index.ts'
import { certificateByCode, certificateOf, hasPassed, nextLesson, progressOf } from './queries.ts'
import { viewCertificate, viewProgress } from './view.ts'

interface Path {
  readonly course_id: number
  readonly lesson_id: number
}

/** Completes a lesson for the caller. A completed lesson stays completed even if it is locked now. */
const complete = async (ctx: WriteRequest, { course_id, lesson_id }: Path) => {
  const { db, actor, now } = ctx
  const seen = await lessonFor(ctx, course_id, lesson_id, 'view')
  if (seen.course.my_enrolment_id === null) throw new ApiError('not_enrolled')
  // Lock before checking prerequisites, so that two lessons completed concurrently see each other.
  await lockLesson(db, course_id, lesson_id)
  await lockRow(db, 'enrolments', seen.course.my_enrolment_id)
  const lesson = await lessonFor(ctx, course_id, lesson_id, 'view')
  if (lesson.my_completed_at === null) {
    await lessonFor(ctx, course_id, lesson_id, 'learn')
    const mustPass = lesson.type === 'quiz' && !(await hasPassed(db, [actor.id, lesson_id]))
    // A quiz that cannot be taken must not block completing the course.
    if (mustPass && (await canBeTaken(db, lesson_id)))
      throw new ApiError('rest_forbidden', { message: 'Pass the quiz to complete this lesson.' })
  }
  const done = await completeLesson(ctx, { courseId: course_id, userId: actor.id, lessonId: lesson_id })
  await recordLessonAccess(db, [seen.course.my_enrolment_id, now, lesson_id])
  return { ...done, position: lesson.position }
}

const incomplete = async (ctx: WriteRequest, { course_id, lesson_id }: Path): Promise<number> => {
  await lessonFor(ctx, course_id, lesson_id, 'view')
  return uncompleteLesson(ctx, { courseId: course_id, userId: ctx.actor.id, lessonId: lesson_id })
}

export const progressHandlers: Handlers<typeof api.progress> = {
  complete: async (ctx, { params }) => {
    const { completed_at, progress_percentage, isNew, position } = await complete(ctx, params)
    const next = await nextLesson(ctx.db, params.course_id, ctx.actor.id, position)
    return {
      message: isNew ? 'The lesson is completed.' : 'The lesson was already completed.',
      data: { lesson_id: params.lesson_id, completed_at, progress_percentage, next_lesson: next && { id: next.id, title: next.title } },
    }
  },

  incomplete: async (ctx, { params }) => ({
    message: 'The lesson is not completed.',
    data: { lesson_id: params.lesson_id, progress_percentage: await incomplete(ctx, params) },
  }),

  setCompletion: async (ctx, { params, body }) => {
    const is_completed = body.state === 'completed'
    const progress_percentage = is_completed ? (await complete(ctx, params)).progress_percentage : await incomplete(ctx, params)
    return { message: is_completed ? 'The lesson is completed.' : 'The lesson is not completed.', is_completed, progress_percentage }
  },

  get: async (ctx, { params, query }) => {
    const course = await courseFor(ctx, params.course_id, 'view')
    const userId = query.user_id ?? ctx.actor.id
    if (userId !== ctx.actor.id && !courseAbilities(ctx.actor, course).manage) throw new ApiError('rest_forbidden')
    const row = await progressOf(ctx.db, [course.id, userId])
    if (!row) throw new ApiError('not_enrolled', userId === ctx.actor.id ? {} : { message: 'This user is not enrolled in the course.' })
    return { data: viewProgress(row, await nextLesson(ctx.db, course.id, userId), ctx.services.origin()) }
  },

  reset: async (ctx, { params }) => {
    const course = await courseFor(ctx, params.course_id, 'view')
    await resetProgress(ctx, { courseId: course.id, userId: ctx.actor.id })
    return { message: 'Your progress was reset.' }
  },

  resetStudent: async (ctx, { params }) => {
    const course = await courseFor(ctx, params.course_id, 'manage')
    if (!(await progressOf(ctx.db, [course.id, params.user_id])))
      throw new ApiError('member_not_found', { message: 'This user is not enrolled in the course.' })
    await resetProgress(ctx, { courseId: course.id, userId: params.user_id })
    await audit(ctx, 'course_student.reset', { object_type: 'user', object_id: params.user_id, details: { course_id: course.id } })
    return { message: 'The progress of the student was reset.' }
  },

  certificate: async (ctx, { params }) => {
    const { id } = await courseFor(ctx, params.course_id, 'view')
    const row = await progressOf(ctx.db, [id, ctx.actor.id])
    if (!row) throw new ApiError('not_enrolled')
    const progress_percentage = percentageOf(row.done, row.lessons_count)
    const certificate = progress_percentage === 100 ? await certificateOf(ctx.db, [id, ctx.actor.id]) : undefined
    if (!certificate) throw new ApiError('course_not_complete', { data: { progress_percentage } })
    return { data: viewCertificate(certificate, ctx.services.origin()) }
  },
}

export const certificateHandlers: Handlers<typeof api.certificates> = {
  check: async ({ db, services }, { params }) => {
    const certificate = await certificateByCode(db, params.code)
    if (!certificate) throw new ApiError('certificate_not_found')
    return { data: viewCertificate(certificate, services.origin()) }
  },
}
