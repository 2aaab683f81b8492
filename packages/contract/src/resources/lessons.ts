import type { Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Datetime, dataOf, FlagInput, Id, MAX_ID, Message, messageAnd, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { Indexes } from './course-sections.ts'
import { QUIZ_LIMITS, Quiz, QuizInput } from './quizzes.ts'

export const LESSON_TYPES = ['lesson', 'quiz'] as const
export const LESSON_STATUSES = ['draft', 'published', 'archived'] as const
/** Why a lesson is shut: its reader is not enrolled, its section opens later, or lessons before it come first. */
export const LOCK_REASONS = ['not_enrolled', 'section_locked', 'sequential'] as const

/** Characters of a title and of the duration; bytes of the content as it is sent; resources of one lesson. */
export const LESSON_TITLE_LENGTH = 192
export const LESSON_SLUG_LENGTH = 100
export const LESSON_CONTENT_BYTES = 200_000
export const LESSON_RESOURCES = 50
/** Most lessons of one course. */
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
  content: Type.String({ description: 'Safe HTML; empty while the lesson is locked' }),
  video_url: Type.String(),
  duration: Type.String(),
  order: Type.Integer({ minimum: 0, description: 'Its place in the whole course, from 1' }),
  is_preview: Type.Boolean({ description: 'Open to everybody who may see the course' }),
  is_completed: Type.Boolean(),
  is_locked: Type.Boolean(),
  lock_reason: nullable(oneOf(LOCK_REASONS)),
  unlock_date: nullable(Datetime),
  resources: Type.Array(Resource),
  feed_id: nullable(Type.Integer({ ...Id, description: 'The feed that its comments stand under; null while it cannot be read' })),
  comments_count: Count,
  created_at: Datetime,
  updated_at: Datetime,
}

export const Lesson = named('Lesson', shape)
const LessonWithQuiz = named('LessonWithQuiz', {
  ...shape,
  quiz: Type.Optional(Type.Unsafe<Static<typeof Quiz>>({ ...Quiz, description: 'Of a quiz; its questions for those who run the course' })),
})

const LessonFields = Type.Optional(
  oneOf(['all', 'summary'], { default: 'all', description: 'summary: `content` is empty, as if the lesson were locked' }),
)

const courseId = Type.Object({ course_id: Id })
const lessonPath = Type.Object({ course_id: Id, lesson_id: Id })

const Title = Type.String({ description: `1 to ${LESSON_TITLE_LENGTH} characters` })

const Made = messageAnd(Type.Object({ id: Id, course_id: Id, title: Type.String(), order: Count, created_at: Datetime }))

export const lessons = {
  list: route({
    method: 'GET',
    path: '/courses/{course_id}/lessons',
    access: 'member',
    summary: 'List the lessons of a course in their order',
    description:
      'Published ones; for those who run the course all. What a locked lesson holds is left out. With `fields=summary` so is what the others hold, which makes the answer of a long course much smaller.',
    params: courseId,
    query: Type.Object({ fields: LessonFields }),
    response: Type.Object({ data: Type.Array(Lesson) }),
    errors: ['course_not_found'],
  }),
  byId: route({
    method: 'GET',
    path: '/courses/{course_id}/lessons/{lesson_id}',
    access: 'member',
    summary: 'Read a lesson',
    description:
      'A locked lesson is shown without what it holds; `lock_reason` tells why. Reading is noted as the last access of a student, as completing a lesson and taking a quiz are.',
    params: lessonPath,
    response: dataOf(LessonWithQuiz),
    errors: ['course_not_found', 'lesson_not_found'],
  }),
  update: route({
    method: 'PUT',
    path: '/courses/{course_id}/lessons/{lesson_id}',
    access: 'member',
    summary: 'Change a lesson; only what is sent changes',
    params: lessonPath,
    // A whole quiz: its questions, and the options of each.
    members: 2000 + QUIZ_LIMITS.questions * (10 + QUIZ_LIMITS.options * 4),
    body: Type.Object({
      title: Type.Optional(Title),
      slug: Type.Optional(Type.String({ maxLength: LESSON_SLUG_LENGTH, description: 'Unique in the course' })),
      content: Type.Optional(
        nullable(Type.String({ description: `HTML, at most ${LESSON_CONTENT_BYTES} bytes; what is not safe is taken out` })),
      ),
      video_url: Type.Optional(nullable(Type.String({ description: 'http or https' }))),
      duration: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
      order: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Its place in the whole course' })),
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
    summary: 'Delete a lesson with its comments, completions and attempts',
    params: lessonPath,
    response: Message,
    errors: ['course_not_found', 'lesson_not_found', 'rest_forbidden'],
  }),
  reorder: route({
    method: 'PATCH',
    path: '/courses/{course_id}/lessons/reorder',
    access: 'member',
    summary: 'Put the lessons of a course into another order',
    params: courseId,
    members: COURSE_LESSONS * 2,
    body: Type.Object({
      lesson_ids: Type.Array(Id, { maxItems: COURSE_LESSONS, description: 'Exactly the lessons of the course, in their new order' }),
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
    summary: 'List all lessons of a course, for those who run it',
    params: courseId,
    query: Type.Object({
      section_id: Type.Optional(Id),
      topic_id: Type.Optional(Type.Integer({ ...Id, description: 'The same as section_id' })),
      fields: LessonFields,
    }),
    response: Type.Object({ lessons: Type.Array(Lesson) }),
    errors: ['course_not_found', 'rest_forbidden'],
  }),
  create: route({
    method: 'POST',
    path: '/admin/courses/{course_id}/lessons',
    access: 'member',
    summary: 'Make a lesson in a section',
    description: 'It is a draft, and the last one of its section.',
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
    summary: 'Copy a lesson',
    description: 'The copy is a draft and comes after the original; comments and completions stay there.',
    params: lessonPath,
    response: Made,
    status: 201,
    errors: ['course_not_found', 'lesson_not_found', 'rest_forbidden'],
  }),
  move: route({
    method: 'PUT',
    path: '/admin/courses/{course_id}/move-lesson',
    access: 'member',
    summary: 'Move a lesson into another section of its course, as the last one there',
    params: courseId,
    body: Type.Object({ lesson_id: Id, section_id: Id }),
    response: Message,
    errors: ['course_not_found', 'lesson_not_found', 'section_not_found', 'rest_forbidden'],
  }),
  reorder: route({
    method: 'PATCH',
    path: '/admin/courses/{course_id}/sections/{section_id}/indexes',
    access: 'member',
    summary: 'Put the lessons of a section in order; those that are not named keep their place',
    description: 'Lessons of other sections stay where they are. Answers the lessons of the section.',
    params: Type.Object({ course_id: Id, section_id: Id }),
    members: COURSE_LESSONS * 2,
    body: Type.Object({ indexes: Indexes(COURSE_LESSONS, 'Id of a lesson of the section → its position in it') }),
    response: Type.Object({ message: Type.String(), lessons: Type.Array(Lesson) }),
    errors: ['course_not_found', 'section_not_found', 'rest_forbidden'],
  }),
} as const
