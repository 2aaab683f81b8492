import { route } from '../route.ts'
import {
  Anything,
  Count,
  Datetime,
  FlagInput,
  Id,
  MAX_ID,
  messageAnd,
  named,
  nullable,
  Order,
  oneOf,
  Pagination,
  paging,
  pathId,
} from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const QUESTION_TYPES = ['multiple_choice', 'multiple_select', 'true_false', 'short_answer'] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]
export const ATTEMPT_STATUSES = ['in_progress', 'completed', 'graded'] as const

/** Limits of a definition; characters unless said otherwise. */
export const QUIZ_LIMITS = {
  questions: 200,
  options: 50,
  idLength: 64,
  question: 2000,
  option: 1000,
  explanation: 5000,
  correctAnswer: 500,
  points: 1000,
  /** All questions together. */
  bytes: 256 * 1024,
  maxAttempts: 1000,
  /** A week, in seconds. */
  timeLimit: 604_800,
} as const

/** Limits of a submission. */
export const ANSWER_BYTES = 10_000
export const FEEDBACK_BYTES = 5000
/** 30 days, in seconds: what a client says beyond it is cut to it. */
export const MOST_TIME_SPENT = 2_592_000
/** What an attempt may arrive late without being late, in seconds. */
export const GRACE_S = 10

// ---- the definition ----------------------------------------------------------------------------------------

/** What must be there, and how the parts fit together, is told by the server in words; here stands what they are. */
const QuestionInput = Type.Object(
  {
    id: Type.Optional(nullable(Type.String({ description: 'Made where it is absent; unique within the quiz' }))),
    type: Type.Optional(oneOf(QUESTION_TYPES)),
    question: Type.Optional(Type.String({ description: `At most ${QUIZ_LIMITS.question} characters` })),
    options: Type.Optional(
      nullable(
        Type.Array(
          Type.Object({
            id: Type.Optional(nullable(Type.String({ description: 'Made where it is absent; unique within the question' }))),
            text: Type.Optional(Type.String({ description: `At most ${QUIZ_LIMITS.option} characters` })),
            is_correct: Type.Optional(FlagInput),
          }),
        ),
      ),
    ),
    correct_answer: Type.Optional(
      Type.Unsafe<string | boolean | null>({
        type: ['string', 'boolean', 'null'],
        description:
          'Of a short_answer: what is right, trimmed and whatever its case, or several such answers, each on a line; without it a person grades. Of a true_false: in place of options',
      }),
    ),
    points: Type.Optional(Type.Integer({ minimum: 0, maximum: QUIZ_LIMITS.points, description: '1 unless said' })),
    explanation: Type.Optional(nullable(Type.String({ description: `At most ${QUIZ_LIMITS.explanation} characters` }))),
  },
  { title: 'QuizQuestionInput', description: 'type and question are required; options are for all types but short_answer' },
)

/** `quiz` of `PUT /courses/{course_id}/lessons/{lesson_id}`: what is sent changes, `questions` as a whole. */
export const QuizInput = named('QuizInput', {
  questions: Type.Optional(Type.Array(QuestionInput)),
  settings: Type.Optional(
    Type.Object({
      passing_score: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Percent; 70 unless said' })),
      max_attempts: Type.Optional(Type.Integer({ minimum: 0, maximum: QUIZ_LIMITS.maxAttempts, description: '0: unlimited' })),
      time_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: QUIZ_LIMITS.timeLimit, description: 'Seconds; 0: none' })),
      show_correct_answers: Type.Optional(FlagInput),
      randomize_questions: Type.Optional(FlagInput),
    }),
  ),
})

const settings = {
  passing_score: Count,
  max_attempts: Type.Integer({ minimum: 0, description: '0: unlimited' }),
  time_limit: Type.Integer({ minimum: 0, description: 'Seconds; 0: none' }),
  show_correct_answers: Type.Boolean(),
  randomize_questions: Type.Boolean(),
}

export const QuizQuestion = named('QuizQuestion', {
  id: Type.String(),
  type: oneOf(QUESTION_TYPES),
  question: Type.String(),
  options: Type.Array(Type.Object({ id: Type.String(), text: Type.String(), is_correct: Type.Boolean() })),
  correct_answer: nullable(Type.String({ description: 'Of a short_answer; null: a person grades' })),
  points: Count,
  explanation: Type.String(),
})

/** The quiz of a lesson; its questions for those who run the course only. */
export const Quiz = named('Quiz', {
  total_questions: Count,
  settings: named('QuizDefinitionSettings', settings),
  attempts_used: Type.Integer({ minimum: 0, description: 'How many attempts the caller has submitted' }),
  questions: Type.Optional(Type.Array(QuizQuestion)),
})

// ---- attempts ----------------------------------------------------------------------------------------------

const Choices = Type.Array(Type.Object({ id: Type.String(), text: Type.String() }))

export const QuizAttempt = named('QuizAttempt', {
  id: Id,
  lesson_id: Id,
  attempt_number: Id,
  status: oneOf(['in_progress']),
  started_at: Datetime,
  expires_at: nullable(Datetime),
  time_limit: settings.time_limit,
  total_questions: Count,
  questions: Type.Array(
    Type.Object({ id: Type.String(), type: oneOf(QUESTION_TYPES), question: Type.String(), options: Choices, points: Count }),
  ),
})

const Answer = Type.Unsafe<string | string[] | null>({
  // A list is written as such only when it is the first of the types.
  type: ['array', 'string', 'null'],
  items: { type: 'string' },
  description: 'Ids of options, or the text of a short_answer; null: none was given',
})

export const QuizDetail = named('QuizDetail', {
  question_id: Type.String(),
  type: oneOf(QUESTION_TYPES),
  question: Type.String(),
  options: Choices,
  your_answer: Answer,
  correct_answer: Type.Optional(Answer),
  is_correct: Type.Optional(nullable(Type.Boolean({ description: 'null: waits to be graded' }))),
  points_earned: nullable(Type.Integer({ description: 'null: waits to be graded, or hidden' })),
  points_possible: Count,
  explanation: Type.Optional(Type.String()),
})

const score = {
  id: Id,
  score: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent of the points' }),
  total_questions: Count,
  correct_answers: Count,
  passed: Type.Boolean(),
  passing_score: Count,
  attempt_number: Id,
  status: oneOf(ATTEMPT_STATUSES, { description: 'completed: an answer waits to be graded' }),
  late: Type.Boolean({ description: 'Came after the time limit' }),
  feedback: Type.String(),
  submitted_at: Datetime,
}

export const QuizSubmission = named('QuizSubmission', {
  ...score,
  user_id: Id,
  course_id: Id,
  lesson_id: Id,
  answers: Type.Unsafe<Record<string, string | string[]>>({ ...Anything, description: 'By question: a text, or ids of options' }),
  time_spent: Type.Integer({ minimum: 0, description: 'Seconds, as the client said' }),
  started_at: Datetime,
  graded_at: nullable(Datetime),
})

const lessonPath = Type.Object({ course_id: Id, lesson_id: Id })
const toTake = ['course_not_found', 'lesson_not_found', 'quiz_not_found', 'not_enrolled', 'lesson_locked'] as const
const member = { access: 'member', feature: 'quizzes', params: lessonPath } as const

export const quizzes = {
  start: route({
    ...member,
    method: 'POST',
    path: '/courses/{course_id}/lessons/{lesson_id}/quiz/start',
    summary: 'Begin an attempt, or go on with the open one',
    description:
      'Gives the questions as this attempt asks them; its clock runs from the first start. Going on with an open attempt answers 200.',
    response: messageAnd(QuizAttempt),
    status: 201,
    unmade: 200,
    errors: [...toTake, 'already_submitted', 'max_attempts_reached'],
  }),
  submit: route({
    ...member,
    method: 'POST',
    path: '/courses/{course_id}/lessons/{lesson_id}/quiz/submit',
    summary: 'Submit the answers of an attempt',
    description:
      'Submits the open attempt; without one, one is begun and submitted at once. Key, explanations and what was right are told only where the quiz shows them.',
    // An answer to each question, with each of its options.
    members: 2000 + QUIZ_LIMITS.questions * QUIZ_LIMITS.options * 2,
    body: Type.Object({
      answers: Type.Unsafe<Record<string, unknown>>({
        ...Anything,
        description:
          'By question: id or text of an option, a list of them for multiple_select, `true` or `false`, or the text of a short_answer',
      }),
      time_spent: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: MAX_ID, description: 'Seconds; only shown' }))),
      attempt_id: Type.Optional(
        nullable(Type.Unsafe<number>({ ...Id, description: 'The attempt that is meant, so that one is not submitted twice' })),
      ),
    }),
    response: Type.Object({
      message: Type.String(),
      quiz_result: named('QuizOutcome', { ...score, can_retake: Type.Boolean(), next_lesson_unlocked: Type.Boolean() }),
      detailed_results: Type.Array(QuizDetail),
    }),
    status: 201,
    errors: [...toTake, 'invalid_answers', 'already_submitted', 'max_attempts_reached'],
    fieldErrors: { answers: 'invalid_answers' },
  }),
  result: route({
    ...member,
    method: 'GET',
    path: '/courses/{course_id}/lessons/{lesson_id}/quiz/result',
    summary: 'How the caller did in a quiz',
    query: Type.Object({
      attempt: Type.Optional(
        Type.String({
          pattern: '^(latest|[1-9][0-9]{0,5})$',
          default: 'latest',
          description: 'Its number, or latest',
          examples: ['latest'],
        }),
      ),
      include_answers: Type.Optional(Type.Boolean({ default: true })),
    }),
    response: Type.Object({
      quiz_result: QuizSubmission,
      quiz_settings: named('QuizSettings', { ...settings, attempts_used: Count, can_retake: Type.Boolean() }),
      detailed_results: Type.Array(QuizDetail),
    }),
    errors: ['course_not_found', 'lesson_not_found', 'quiz_not_found', 'not_enrolled'],
  }),
} as const

// ---- administration ----------------------------------------------------------------------------------------

const { feedback: _feedback, passing_score: _passing, ...listed } = score
export const QuizResultItem = named('QuizResultItem', {
  ...listed,
  xprofile: Xprofile,
  lesson: Type.Object({ id: Id, title: Type.String(), slug: Type.String() }),
  time_spent: Count,
})

const Figure = Type.Number({ minimum: 0 })
const GradedBy = nullable(Type.Object({ id: Id, display_name: Type.String() }))

const admin = { access: 'member', feature: 'quizzes' } as const
const resultPath = Type.Object({ course_id: Id, quiz_id: Id })

export const adminQuizzes = {
  list: route({
    ...admin,
    method: 'GET',
    path: '/admin/courses/{course_id}/quiz-results',
    summary: 'What the students of a course submitted',
    description: 'For those who run the course. The statistics are of all that the filters let through, not of the page.',
    params: pathId('course_id'),
    query: Type.Object({
      ...paging(20),
      lesson_id: Type.Optional(Id),
      user_id: Type.Optional(Id),
      status: Type.Optional(oneOf(['all', 'passed', 'failed'], { default: 'all' })),
      orderby: Type.Optional(oneOf(['submitted_at', 'score', 'user_name'], { default: 'submitted_at' })),
      order: Type.Optional(Type.Unsafe<'asc' | 'desc'>({ ...Order, default: 'desc' })),
    }),
    response: Type.Object({
      quiz_results: Type.Array(QuizResultItem),
      pagination: Pagination,
      statistics: named('QuizStatistics', {
        total_submissions: Count,
        passed: Count,
        failed: Count,
        average_score: Figure,
        average_time: Type.Number({ minimum: 0, description: 'Seconds' }),
      }),
    }),
    errors: ['course_not_found', 'rest_forbidden'],
  }),
  show: route({
    ...admin,
    method: 'GET',
    path: '/admin/courses/{course_id}/quiz-results/{quiz_id}',
    summary: 'One submission with its answers and the key',
    params: resultPath,
    response: Type.Object({
      quiz_result: Type.Object({ ...QuizSubmission.properties, xprofile: Xprofile, graded_by: GradedBy }),
      detailed_results: Type.Array(QuizDetail),
    }),
    errors: ['course_not_found', 'rest_forbidden', 'quiz_not_found'],
  }),
  grade: route({
    ...admin,
    method: 'POST',
    path: '/admin/courses/{course_id}/quiz-results/{quiz_id}',
    summary: 'Grade a submission, or overrule its grade',
    description:
      'What is not sent stays, but for what follows: a score follows from the grades of answers, and passing from the score, unless it is sent itself.',
    params: resultPath,
    body: Type.Object({
      score: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 100 }))),
      passed: Type.Optional(Type.Unsafe<boolean | 0 | 1 | null>({ type: ['boolean', 'integer', 'null'], enum: [true, false, 0, 1, null] })),
      status: Type.Optional(
        nullable(oneOf(['passed', 'failed'], { description: 'Says the same as `passed`; one that contradicts it is refused' })),
      ),
      feedback: Type.Optional(nullable(Type.String({ description: `At most ${FEEDBACK_BYTES} bytes` }))),
      answers: Type.Optional(
        nullable(
          Type.Unsafe<Record<string, unknown>>({
            ...Anything,
            description: 'By question: `{points, is_correct}`, either of them; a number or a boolean alone stands for it',
          }),
        ),
      ),
    }),
    response: Type.Object({
      message: Type.String(),
      quiz_result: Type.Object({
        ...score,
        time_spent: Count,
        graded_at: nullable(Datetime),
        graded_by: GradedBy,
      }),
    }),
    errors: ['course_not_found', 'rest_forbidden', 'quiz_not_found'],
  }),
} as const
