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

/** Limits of a quiz definition; lengths are in characters. */
export const QUIZ_LIMITS = {
  questions: 200,
  options: 50,
  idLength: 64,
  question: 2000,
  option: 1000,
  explanation: 5000,
  correctAnswer: 500,
  points: 1000,
  /** Size of all questions. */
  bytes: 256 * 1024,
  maxAttempts: 1000,
  /** A week, in seconds. */
  timeLimit: 604_800,
} as const

/** Limits of a submission. */
export const ANSWER_BYTES = 10_000
export const FEEDBACK_BYTES = 5000
/** 30 days, in seconds; larger values are reduced to it. */
export const MAX_TIME_SPENT = 2_592_000
/** Tolerance for the time limit of an attempt, in seconds. */
export const TIME_LIMIT_TOLERANCE_S = 10

// ---- the definition ----------------------------------------------------------------------------------------

/** Only the types of the fields. The server checks which ones are required and how they fit together, with specific messages. */
const QuestionInput = Type.Object(
  {
    id: Type.Optional(nullable(Type.String({ description: 'Id of the question, unique in the quiz; generated if absent.' }))),
    type: Type.Optional(oneOf(QUESTION_TYPES)),
    question: Type.Optional(Type.String({ description: `The question, at most ${QUIZ_LIMITS.question} characters.` })),
    options: Type.Optional(
      nullable(
        Type.Array(
          Type.Object({
            id: Type.Optional(nullable(Type.String({ description: 'Id of the option, unique in the question; generated if absent.' }))),
            text: Type.Optional(Type.String({ description: `The text of the option, at most ${QUIZ_LIMITS.option} characters.` })),
            is_correct: Type.Optional(FlagInput),
          }),
        ),
      ),
    ),
    correct_answer: Type.Optional(
      Type.Unsafe<string | boolean | null>({
        type: ['string', 'boolean', 'null'],
        description:
          'For `short_answer`: the accepted answers, one per line, compared without surrounding spaces and case; without it, the answer is graded manually. For `true_false`: an alternative to `options`.',
      }),
    ),
    points: Type.Optional(
      Type.Integer({ minimum: 0, maximum: QUIZ_LIMITS.points, description: 'Points for a correct answer; default: 1.' }),
    ),
    explanation: Type.Optional(
      nullable(
        Type.String({ description: `An explanation that is shown with the result, at most ${QUIZ_LIMITS.explanation} characters.` }),
      ),
    ),
  },
  {
    title: 'QuizQuestionInput',
    description: 'A question; `type` and `question` are required, and `options` for all types except `short_answer`.',
  },
)

/** `quiz` of `PUT /courses/{course_id}/lessons/{lesson_id}`: only fields that are sent change; `questions` is replaced. */
export const QuizInput = named('QuizInput', {
  questions: Type.Optional(Type.Array(QuestionInput)),
  settings: Type.Optional(
    Type.Object({
      passing_score: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 100, description: 'Score that is required to pass, in percent; default: 70.' }),
      ),
      max_attempts: Type.Optional(
        Type.Integer({ minimum: 0, maximum: QUIZ_LIMITS.maxAttempts, description: 'Maximum number of attempts; 0 for no limit.' }),
      ),
      time_limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: QUIZ_LIMITS.timeLimit, description: 'Time limit in seconds; 0 for none.' }),
      ),
      show_correct_answers: Type.Optional(FlagInput),
      randomize_questions: Type.Optional(FlagInput),
    }),
  ),
})

const settings = {
  passing_score: Count,
  max_attempts: Type.Integer({ minimum: 0, description: 'Maximum number of attempts; 0 for no limit.' }),
  time_limit: Type.Integer({ minimum: 0, description: 'Time limit in seconds; 0 for none.' }),
  show_correct_answers: Type.Boolean(),
  randomize_questions: Type.Boolean(),
}

export const QuizQuestion = named('QuizQuestion', {
  id: Type.String(),
  type: oneOf(QUESTION_TYPES),
  question: Type.String(),
  options: Type.Array(Type.Object({ id: Type.String(), text: Type.String(), is_correct: Type.Boolean() })),
  correct_answer: nullable(
    Type.String({ description: 'For `short_answer`: the accepted answers; null if the answer is graded manually.' }),
  ),
  points: Count,
  explanation: Type.String(),
})

/** The quiz of a lesson; includes the questions for those who manage the course. */
export const Quiz = named('Quiz', {
  total_questions: Count,
  settings: named('QuizDefinitionSettings', settings),
  attempts_used: Type.Integer({ minimum: 0, description: 'Number of attempts that the caller has submitted.' }),
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
  // The serializer writes a list only if `array` is the first type.
  type: ['array', 'string', 'null'],
  items: { type: 'string' },
  description: 'Ids of options, or the text of a `short_answer`; null if there is no answer.',
})

export const QuizAnswerResult = named('QuizAnswerResult', {
  question_id: Type.String(),
  type: oneOf(QUESTION_TYPES),
  question: Type.String(),
  options: Choices,
  your_answer: Answer,
  correct_answer: Type.Optional(Answer),
  is_correct: Type.Optional(nullable(Type.Boolean({ description: 'Whether the answer is correct; null until it is graded.' }))),
  points_earned: nullable(Type.Integer({ description: 'Points for the answer; null until it is graded or if results are hidden.' })),
  points_possible: Count,
  explanation: Type.Optional(Type.String()),
})

const score = {
  id: Id,
  score: Type.Integer({ minimum: 0, maximum: 100, description: 'Score in percent of the possible points.' }),
  total_questions: Count,
  correct_answers: Count,
  passed: Type.Boolean(),
  passing_score: Count,
  attempt_number: Id,
  status: oneOf(ATTEMPT_STATUSES, { description: 'Status of the attempt; `completed` means that an answer still has to be graded.' }),
  late: Type.Boolean({ description: 'Whether the attempt was submitted after the time limit.' }),
  feedback: Type.String(),
  submitted_at: Datetime,
}

export const QuizSubmission = named('QuizSubmission', {
  ...score,
  user_id: Id,
  course_id: Id,
  lesson_id: Id,
  answers: Type.Unsafe<Record<string, string | string[]>>({
    ...Anything,
    description: 'Map of question id to answer: a text or the ids of options.',
  }),
  time_spent: Type.Integer({ minimum: 0, description: 'Duration in seconds, as reported by the client.' }),
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
    summary: 'Start a quiz attempt',
    description:
      'Starts an attempt or resumes the open one, which returns 200. The response contains the questions in the order of this attempt. The time limit counts from the first start.',
    response: messageAnd(QuizAttempt),
    status: 201,
    alternateStatus: 200,
    errors: [...toTake, 'already_submitted', 'max_attempts_reached'],
  }),
  submit: route({
    ...member,
    method: 'POST',
    path: '/courses/{course_id}/lessons/{lesson_id}/quiz/submit',
    summary: 'Submit quiz answers',
    description:
      'Submits the open attempt; without one, an attempt is started and submitted immediately. Correct answers and explanations are included only if the quiz shows them.',
    // Enough for answers to all questions with all options.
    maxFields: 2000 + QUIZ_LIMITS.questions * QUIZ_LIMITS.options * 2,
    body: Type.Object({
      answers: Type.Unsafe<Record<string, unknown>>({
        ...Anything,
        description:
          'Map of question id to answer: the id or text of an option, a list of them for `multiple_select`, `true` or `false`, or the text of a `short_answer`.',
      }),
      time_spent: Type.Optional(
        nullable(Type.Integer({ minimum: 0, maximum: MAX_ID, description: 'Duration in seconds, for display only.' })),
      ),
      attempt_id: Type.Optional(
        nullable(
          Type.Unsafe<number>({ ...Id, description: 'The attempt to submit, so that a repeated request does not submit another one.' }),
        ),
      ),
    }),
    response: Type.Object({
      message: Type.String(),
      quiz_result: named('QuizAttemptResult', { ...score, can_retake: Type.Boolean(), next_lesson_unlocked: Type.Boolean() }),
      detailed_results: Type.Array(QuizAnswerResult),
    }),
    status: 201,
    errors: [...toTake, 'invalid_answers', 'already_submitted', 'max_attempts_reached'],
    fieldErrors: { answers: 'invalid_answers' },
  }),
  result: route({
    ...member,
    method: 'GET',
    path: '/courses/{course_id}/lessons/{lesson_id}/quiz/result',
    summary: 'Get the quiz result',
    query: Type.Object({
      attempt: Type.Optional(
        Type.String({
          pattern: '^(latest|[1-9][0-9]{0,5})$',
          default: 'latest',
          description: 'Number of the attempt, or `latest`.',
          examples: ['latest'],
        }),
      ),
      include_answers: Type.Optional(Type.Boolean({ default: true })),
    }),
    response: Type.Object({
      quiz_result: QuizSubmission,
      quiz_settings: named('QuizSettings', { ...settings, attempts_used: Count, can_retake: Type.Boolean() }),
      detailed_results: Type.Array(QuizAnswerResult),
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
    summary: 'List quiz results',
    description: 'Available to those who manage the course. The statistics cover all results that match the filters, not only the page.',
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
        average_time: Type.Number({ minimum: 0, description: 'Average duration in seconds.' }),
      }),
    }),
    errors: ['course_not_found', 'rest_forbidden'],
  }),
  show: route({
    ...admin,
    method: 'GET',
    path: '/admin/courses/{course_id}/quiz-results/{quiz_id}',
    summary: 'Get a quiz result',
    params: resultPath,
    response: Type.Object({
      quiz_result: Type.Object({ ...QuizSubmission.properties, xprofile: Xprofile, graded_by: GradedBy }),
      detailed_results: Type.Array(QuizAnswerResult),
    }),
    errors: ['course_not_found', 'rest_forbidden', 'quiz_not_found'],
  }),
  grade: route({
    ...admin,
    method: 'POST',
    path: '/admin/courses/{course_id}/quiz-results/{quiz_id}',
    summary: 'Grade a quiz',
    description:
      'Only the fields that are sent change, except for derived ones: the score follows from the grades of the answers, and `passed` from the score, unless they are sent too.',
    params: resultPath,
    body: Type.Object({
      score: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 100 }))),
      passed: Type.Optional(Type.Unsafe<boolean | 0 | 1 | null>({ type: ['boolean', 'integer', 'null'], enum: [true, false, 0, 1, null] })),
      status: Type.Optional(
        nullable(oneOf(['passed', 'failed'], { description: 'An alternative to `passed`; contradicting values are rejected.' })),
      ),
      feedback: Type.Optional(nullable(Type.String({ description: `Feedback for the student, at most ${FEEDBACK_BYTES} bytes.` }))),
      answers: Type.Optional(
        nullable(
          Type.Unsafe<Record<string, unknown>>({
            ...Anything,
            description: 'Map of question id to grade: `{points, is_correct}` with either or both fields, or a number or boolean alone.',
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
