import { type Route, route } from '../route.ts'
import { Count, Datetime, DatetimeInput, dataOf, Id, Message, messageAnd, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { COURSE_SLUG_LENGTH, COURSE_STATUSES, COURSE_TITLE_LENGTH, courseId } from './courses.ts'

const SECTION_STATUSES = ['draft', 'published', 'archived'] as const
const LESSON_TYPES = ['lesson', 'quiz'] as const

const SectionLesson = named('SectionLesson', {
  id: Id,
  course_id: Id,
  section_id: Id,
  title: Type.String(),
  slug: Type.String(),
  type: oneOf(LESSON_TYPES),
  status: oneOf(SECTION_STATUSES),
  order: Count,
  duration: Type.String(),
  is_preview: Type.Boolean(),
  created_at: Datetime,
  updated_at: Datetime,
})

export const CourseSection = named('CourseSection', {
  id: Id,
  course_id: Id,
  title: Type.String(),
  slug: Type.String(),
  type: oneOf(['section']),
  status: oneOf(SECTION_STATUSES),
  priority: Type.Integer({ description: 'Position of the section in the course.' }),
  scheduled_at: nullable(Datetime),
  days_after: Count,
  reactions_count: Type.Integer({ minimum: 0, description: 'An alias of `days_after`.' }),
  created_at: Datetime,
  updated_at: Datetime,
  lessons: Type.Array(SectionLesson),
})

const title = Type.String({ minLength: 1, maxLength: COURSE_TITLE_LENGTH })
const days = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 3650,
    description: 'In a structured course, the number of days after enrollment when the section opens.',
  }),
)
const optional = {
  slug: Type.Optional(Type.String({ maxLength: COURSE_SLUG_LENGTH, pattern: '^[A-Za-z0-9_-]*$' })),
  status: Type.Optional(oneOf(SECTION_STATUSES)),
  scheduled_at: Type.Optional(nullable(DatetimeInput)),
  days_after: days,
  reactions_count: days,
}

/** Map of id to position. */
export const Indexes = (most: number, description: string) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    maxProperties: most,
    additionalProperties: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    description,
  })

const sectionPath = Type.Object({ ...courseId.properties, section_id: Id })
const Section = messageAnd(CourseSection)
const errors = ['course_not_found', 'rest_forbidden'] as const
const changing = {
  access: 'member',
  params: sectionPath,
  response: Section,
  errors: ['course_not_found', 'section_not_found', 'duplicate_slug', 'rest_forbidden'],
} as const satisfies Partial<Route>

/** Sections of a course, for those who manage it. */
export const courseSections = {
  list: route({
    method: 'GET',
    path: '/admin/courses/{course_id}/sections',
    access: 'member',
    summary: 'List the sections of a course',
    params: courseId,
    query: Type.Object({ only_published: Type.Optional(Type.Boolean()) }),
    response: Type.Object({ sections: Type.Array(CourseSection) }),
    errors: [...errors],
  }),
  create: route({
    method: 'POST',
    path: '/admin/courses/{course_id}/sections',
    access: 'member',
    summary: 'Create a section',
    description:
      'The section is added at the end and published unless `status` says otherwise. `scheduled_at` and `days_after` are mutually exclusive.',
    params: courseId,
    body: Type.Object({ ...optional, title }),
    response: Section,
    status: 201,
    errors: [...errors, 'duplicate_slug'],
  }),
  reorder: route({
    method: 'PATCH',
    path: '/admin/courses/{course_id}/sections/indexes',
    access: 'member',
    summary: 'Reorder sections',
    params: courseId,
    body: Type.Object({ indexes: Indexes(1000, 'Map of section id to position; other sections keep their position.') }),
    response: Type.Object({ message: Type.String(), sections: Type.Array(CourseSection) }),
    errors: [...errors],
  }),
  byId: route({
    method: 'GET',
    path: '/admin/courses/{course_id}/sections/{section_id}',
    access: 'member',
    summary: 'Get a section',
    params: sectionPath,
    response: dataOf(CourseSection),
    errors: ['course_not_found', 'section_not_found', 'rest_forbidden'],
  }),
  update: route({
    method: 'PUT',
    path: '/admin/courses/{course_id}/sections/{section_id}',
    summary: 'Replace a section',
    body: Type.Object({ ...optional, title, status: oneOf(SECTION_STATUSES) }),
    ...changing,
  }),
  patch: route({
    method: 'PATCH',
    path: '/admin/courses/{course_id}/sections/{section_id}',
    summary: 'Update a section',
    description:
      'Only the fields that are sent change. `scheduled_at` and `days_after` are mutually exclusive: setting one clears the other.',
    body: Type.Object({ ...optional, title: Type.Optional(title) }),
    ...changing,
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/courses/{course_id}/sections/{section_id}',
    access: 'member',
    summary: 'Delete a section and its lessons',
    params: sectionPath,
    response: Message,
    errors: ['course_not_found', 'section_not_found', 'rest_forbidden'],
  }),
} as const

/** Copies of courses and sections. */
export const courseCopies = {
  course: route({
    method: 'POST',
    path: '/admin/courses/{course_id}/duplicate',
    access: 'manage_spaces',
    summary: 'Duplicate a course',
    params: courseId,
    response: messageAnd(
      Type.Object({ id: Id, title: Type.String(), slug: Type.String(), status: oneOf(COURSE_STATUSES), created_at: Datetime }),
    ),
    status: 201,
    errors: ['course_not_found', 'rest_forbidden'],
  }),
  section: route({
    method: 'PUT',
    path: '/admin/courses/{course_id}/copy-section',
    access: 'member',
    summary: 'Copy a section from another course',
    params: courseId,
    body: Type.Object({ section_id: Id, from_course_id: Id }),
    response: Section,
    errors: [...errors, 'section_not_found'],
  }),
} as const
