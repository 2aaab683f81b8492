import type { Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Datetime, dataOf, FlagInput, Id, MAX_ID, Message, messageAnd, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { Indexes } from './course-sections.ts'
import { QUIZ_LIMITS, Quiz, QuizInput } from './quizzes.ts'

export const LESSON_TYPES = ['lesson', 'quiz'] as const
export const LESSON_STATUSES = ['draft', 'published', 'archived'] as const
/** Why a lesson is locked: the reader is not enrolled, the section opens later, or previous lessons are not completed. */
export const LOCK_REASONS = ['not_enrolled', 'section_locked', 'sequential'] as const

/** Maximum length of title and slug in characters and of the content in bytes, and number of resources of a lesson. */
export const LESSON_TITLE_LENGTH = 192
export const LESSON_SLUG_LENGTH = 100
export const LESSON_CONTENT_BYTES = 200_000
export const LESSON_RESOURCES = 50
/** Maximum number of lessons of a course. */
export const COURSE_LESSONS = 2000

const Resource = Type.Object({ title: Type.String(), url: Type.String() })

const shape = {
  id: Id,
  course_id: Id,
  section_id: Id,
  title: Type.String(),
  slug: Type.String(),
  type: oneOf(LESSON_TYPES),
  status: oneOf(LESSON_STATUSES),
  content: Type.String({ description: 'The content as sanitized HTML; empty while the lesson is locked.' }),
  video_url: Type.String(),
  duration: Type.String(),
  order: Type.Integer({ minimum: 0, description: 'Position of the lesson in the course, starting at 1.' }),
  is_preview: Type.Boolean({ description: 'Whether everyone who can see the course can read the lesson.' }),
  is_completed: Type.Boolean(),
  is_locked: Type.Boolean(),
  lock_reason: nullable(oneOf(LOCK_REASONS)),
  unlock_date: nullable(Datetime),
  resources: Type.Array(Resource),
  feed_id: nullable(
    Type.Integer({ ...Id, description: 'The feed that holds the comments on the lesson; null while the caller cannot read it.' }),
  ),
  comments_count: Count,
  created_at: Datetime,
  updated_at: Datetime,
}

export const Lesson = named('Lesson', shape)
const LessonWithQuiz = named('LessonWithQuiz', {
  ...shape,
  quiz: Type.Optional(
    Type.Unsafe<Static<typeof Quiz>>({
      ...Quiz,
      description: 'The quiz, for lessons of the type `quiz`; its questions are included for those who manage the course.',
    }),
  ),
})

const LessonFields = Type.Optional(
  oneOf(['all', 'summary'], { default: 'all', description: 'Which fields to return; with `summary`, `content` is empty.' }),
)

const courseId = Type.Object({ course_id: Id })
const lessonPath = Type.Object({ course_id: Id, lesson_id: Id })

const Title = Type.String({ description: `The title, 1 to ${LESSON_TITLE_LENGTH} characters.` })

const Made = messageAnd(Type.Object({ id: Id, course_id: Id, title: Type.String(), order: Count, created_at: Datetime }))

export const lessons = {
  list: route({
    method: 'GET',
    path: '/courses/{course_id}/lessons',
    access: 'member',
    summary: 'List lessons',
    description:
      'Returns the published lessons in order; those who manage the course get all lessons. The content of locked lessons is omitted; with `fields=summary`, the content of all lessons is omitted, which makes the response for a long course much smaller.',
    params: courseId,
    query: Type.Object({ fields: LessonFields }),
    response: Type.Object({ data: Type.Array(Lesson) }),
    errors: ['course_not_found'],
  }),
  byId: route({
    method: 'GET',
    path: '/courses/{course_id}/lessons/{lesson_id}',
    access: 'member',
    summary: 'Get a lesson',
    description:
      'The content of a locked lesson is omitted; `lock_reason` says why it is locked. The request updates the last access of the student.',
    params: lessonPath,
    response: dataOf(LessonWithQuiz),
    errors: ['course_not_found', 'lesson_not_found'],
  }),
  bySlug: route({
    method: 'GET',
    path: '/courses/{course_slug}/lessons/{lesson_slug}/by-slug',
    access: 'member',
    summary: 'Get a lesson by slug',
    description: 'The same as getting the lesson by id.',
    params: Type.Object({ course_slug: Type.String({ maxLength: 300 }), lesson_slug: Type.String({ maxLength: 300 }) }),
    response: dataOf(LessonWithQuiz),
    errors: ['course_not_found', 'lesson_not_found'],
  }),
  update: route({
    method: 'PUT',
    path: '/courses/{course_id}/lessons/{lesson_id}',
    access: 'member',
    summary: 'Update a lesson',
    params: lessonPath,
    // Enough for a complete quiz: all questions with all of their options.
    maxFields: 2000 + QUIZ_LIMITS.questions * (10 + QUIZ_LIMITS.options * 4),
    body: Type.Object({
      title: Type.Optional(Title),
      slug: Type.Optional(Type.String({ maxLength: LESSON_SLUG_LENGTH, description: 'The slug, unique in the course.' })),
      content: Type.Optional(
        nullable(Type.String({ description: `The content as HTML, at most ${LESSON_CONTENT_BYTES} bytes; it is sanitized.` })),
      ),
      video_url: Type.Optional(nullable(Type.String({ description: 'URL of a video (http or https).' }))),
      duration: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
      order: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Position of the lesson in the course.' })),
      is_preview: Type.Optional(FlagInput),
      section_id: Type.Optional(Id),
      status: Type.Optional(oneOf(LESSON_STATUSES)),
      resources: Type.Optional(
        nullable(
          Type.Array(Type.Object({ title: Type.Optional(Type.String({ maxLength: 200 })), url: Type.String() }), {
            maxItems: LESSON_RESOURCES,
          }),
        ),
      ),
      quiz: Type.Optional(QuizInput),
    }),
    response: messageAnd(Type.Object({ id: Id, title: Type.String(), updated_at: Datetime })),
    errors: [
      'course_not_found',
      'lesson_not_found',
      'section_not_found',
      'rest_forbidden',
      'invalid_url',
      'invalid_content',
      'duplicate_slug',
      'pro_feature_required',
    ],
    fieldErrors: { content: 'invalid_content' },
  }),
  remove: route({
    method: 'DELETE',
    path: '/courses/{course_id}/lessons/{lesson_id}',
    access: 'member',
    summary: 'Delete a lesson',
    params: lessonPath,
    response: Message,
    errors: ['course_not_found', 'lesson_not_found', 'rest_forbidden'],
  }),
  reorder: route({
    method: 'PATCH',
    path: '/courses/{course_id}/lessons/reorder',
    access: 'member',
    summary: 'Reorder the lessons of a course',
    params: courseId,
    maxFields: COURSE_LESSONS * 2,
    body: Type.Object({
      lesson_ids: Type.Array(Id, { maxItems: COURSE_LESSONS, description: 'Ids of all lessons of the course in their new order.' }),
    }),
    response: messageAnd(Type.Array(Type.Object({ id: Id, order: Count }))),
    errors: ['course_not_found', 'rest_forbidden'],
  }),
} as const

export const adminLessons = {
  list: route({
    method: 'GET',
    path: '/admin/courses/{course_id}/lessons',
    access: 'member',
    summary: 'List all lessons of a course',
    params: courseId,
    query: Type.Object({
      section_id: Type.Optional(Id),
      topic_id: Type.Optional(Type.Integer({ ...Id, description: 'An alias of `section_id`.' })),
      fields: LessonFields,
    }),
    response: Type.Object({ lessons: Type.Array(Lesson) }),
    errors: ['course_not_found', 'rest_forbidden'],
  }),
  create: route({
    method: 'POST',
    path: '/admin/courses/{course_id}/lessons',
    access: 'member',
    summary: 'Create a lesson',
    description: 'The lesson is created as a draft at the end of its section.',
    params: courseId,
    body: Type.Object({ title: Title, type: oneOf(LESSON_TYPES), section_id: Id }),
    response: Made,
    status: 201,
    errors: ['course_not_found', 'section_not_found', 'rest_forbidden'],
  }),
  duplicate: route({
    method: 'POST',
    path: '/admin/courses/{course_id}/lessons/{lesson_id}/duplicate',
    access: 'member',
    summary: 'Duplicate a lesson',
    description: 'The copy is a draft and follows the original; comments and completions are not copied.',
    params: lessonPath,
    response: Made,
    status: 201,
    errors: ['course_not_found', 'lesson_not_found', 'rest_forbidden'],
  }),
  move: route({
    method: 'PUT',
    path: '/admin/courses/{course_id}/move-lesson',
    access: 'member',
    summary: 'Move a lesson to another section',
    params: courseId,
    body: Type.Object({ lesson_id: Id, section_id: Id }),
    response: Message,
    errors: ['course_not_found', 'lesson_not_found', 'section_not_found', 'rest_forbidden'],
  }),
  reorder: route({
    method: 'PATCH',
    path: '/admin/courses/{course_id}/sections/{section_id}/indexes',
    access: 'member',
    summary: 'Reorder the lessons of a section',
    description: 'Lessons that are not named keep their position, and so do lessons of other sections. Returns the lessons of the section.',
    params: Type.Object({ course_id: Id, section_id: Id }),
    maxFields: COURSE_LESSONS * 2,
    body: Type.Object({ indexes: Indexes(COURSE_LESSONS, 'Map of lesson id to position in the section.') }),
    response: Type.Object({ message: Type.String(), lessons: Type.Array(Lesson) }),
    errors: ['course_not_found', 'section_not_found', 'rest_forbidden'],
  }),
} as const
