import type { api } from '@lyceum/contract'
import type { AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { pagination } from '../../core/pagination.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { courseFor, type LessonFor, lessonIn } from '../courses/index.ts'
import { viewXprofile } from '../members/view.ts'
import { quizFor, submissionFor } from './access.ts'
import { startAttempt, submitAttempt } from './attempts.ts'
import { gradeAttempt } from './grading.ts'
import { lessonAfter, quizStateOf, submittedAttempt } from './queries.ts'
import { listResults, nameOf, personOf, statisticsOf } from './results.ts'
import { submitBlocker } from './scoring.ts'
import { viewAttempt, viewDetails, viewResultItem, viewScore, viewSettings, viewSubmission } from './view.ts'

type Asking = Pick<ReadContext, 'db' | 'now'> & Pick<AuthContext, 'actor'>

const opensNext = async (ctx: Asking, { id, position, course }: LessonFor): Promise<boolean> => {
  const next = await lessonAfter(ctx.db, [course.id, position, id])
  return next !== undefined && (await lessonIn(ctx, course, next.id)).lock.reason === null
}

export const quizHandlers: Handlers<typeof api.quizzes> = {
  start: async (ctx, { params }) => {
    const { attempt, quiz, isNew } = await startAttempt(ctx, params)
    if (!isNew) ctx.setNotCreated()
    return { message: isNew ? 'The attempt was started.' : 'The attempt was resumed.', data: viewAttempt(attempt, quiz) }
  },

  submit: async (ctx, { params, body }) => {
    const { attempt, lesson, quiz } = await submitAttempt(ctx, params, body)
    const standing = await quizStateOf(ctx.db, ctx.actor.id, lesson.id)
    const quiz_result = {
      ...viewScore(attempt),
      can_retake: submitBlocker(standing, quiz.max_attempts) === null,
      next_lesson_unlocked: await opensNext(ctx, lesson),
    }
    return { message: 'The quiz was submitted.', quiz_result, detailed_results: viewDetails(attempt, quiz.show_correct_answers === 1) }
  },

  result: async (ctx, { params, query }) => {
    const { db, actor } = ctx
    const { attempt: which = 'latest', include_answers: withAnswers = true } = query
    const { lesson, quiz } = await quizFor(ctx, params, 'look')
    const submitted = await submittedAttempt(db, actor.id, lesson.id, which === 'latest' ? which : Number(which))
    if (!submitted) throw new ApiError('quiz_not_found', { message: 'You have not submitted this attempt.' })
    const { attempt, standing } = submitted
    return {
      quiz_result: viewSubmission(attempt, withAnswers),
      quiz_settings: {
        ...viewSettings(quiz),
        attempts_used: standing.used,
        can_retake: submitBlocker(standing, quiz.max_attempts) === null,
      },
      detailed_results: withAnswers ? viewDetails(attempt, quiz.show_correct_answers === 1) : [],
    }
  },
}

export const adminQuizHandlers: Handlers<typeof api.adminQuizzes> = {
  list: async (ctx, { params, query }) => {
    const { id } = await courseFor(ctx, params.course_id, 'manage')
    const [rows, statistics] = await Promise.all([listResults(ctx.db, id, query), statisticsOf(ctx.db, id, query)])
    return {
      quiz_results: rows.map(viewResultItem),
      pagination: pagination(statistics.total_submissions, query.page, query.per_page),
      statistics,
    }
  },

  show: async (ctx, { params }) => {
    const attempt = await submissionFor(ctx, params.course_id, params.quiz_id)
    const person = await personOf(ctx.db, [attempt.user_id])
    if (!person) throw new ApiError('quiz_not_found')
    const grader = attempt.graded_by === null ? undefined : await nameOf(ctx.db, [attempt.graded_by])
    return {
      quiz_result: { ...viewSubmission(attempt, true), xprofile: viewXprofile(person), graded_by: grader ?? null },
      detailed_results: viewDetails(attempt, true),
    }
  },

  grade: async (ctx, { params, body }) => {
    const attempt = await gradeAttempt(ctx, params.course_id, params.quiz_id, body)
    const grader = await nameOf(ctx.db, [ctx.actor.id])
    return {
      message: 'The grade was saved.',
      quiz_result: {
        ...viewScore(attempt),
        time_spent: attempt.time_spent,
        graded_at: attempt.graded_at,
        graded_by: grader ?? null,
      },
    }
  },
}
