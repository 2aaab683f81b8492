import { route } from '../route.ts'
import {
  Count,
  Datetime,
  dataOf,
  Id,
  listOf,
  Message,
  messageAnd,
  named,
  nullable,
  Order,
  oneOf,
  paginatorOf,
  paging,
  pathId,
} from '../shapes/common.ts'
import { ActiveXprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'
import {
  COURSE_PREREQUISITES,
  COURSE_TYPES,
  CourseLockscreen,
  CourseLockscreenInput,
  CourseSettings,
  CourseSettingsInput,
} from './course-settings.ts'

export const COURSE_STATUSES = ['draft', 'published', 'archived'] as const
const COURSE_PRIVACIES = ['public', 'private', 'secret'] as const
export const DIFFICULTIES = ['beginner', 'intermediate', 'advanced'] as const
export const COURSE_ORDERS = ['created_at', 'updated_at', 'title', 'rating'] as const
export const STUDENT_ORDERS = ['enrolled_at', 'display_name', 'progress'] as const
const ENROLLED_ORDERS = ['created_at', 'display_name', 'last_activity', 'progress'] as const

/** Maximum length of title and slug in characters, and of texts in bytes of UTF-8. */
export const COURSE_TITLE_LENGTH = 194
export const COURSE_SLUG_LENGTH = 194
export const COURSE_DESCRIPTION_BYTES = 5000
export const COURSE_CONTENT_BYTES = 50_000

const Address = Type.String({ description: 'A URL; may be empty.' })
const Percentage = Type.Integer({ minimum: 0, maximum: 100 })

const record = {
  id: Id,
  created_by: nullable(Id),
  title: Type.String(),
  slug: Type.String(),
  description: Type.String({ description: 'A short description, as submitted.' }),
  content: Type.String({ description: 'The full description, as sanitized HTML.' }),
  featured_image: Address,
  logo: Address,
  cover_photo: Address,
  type: oneOf(['course']),
  status: oneOf(COURSE_STATUSES),
  privacy: oneOf(COURSE_PRIVACIES, {
    description:
      '`public`: everyone can enroll. `private`: students are added by those who manage the course. `secret`: hidden from everyone else.',
  }),
  course_type: oneOf(COURSE_TYPES, {
    description:
      '`self_paced`: all sections are open. `structured`: sections open a number of days after enrollment. `scheduled`: sections open at a fixed date.',
  }),
  category: Type.String({ description: 'Title of the category; empty if there is none.' }),
  difficulty: oneOf(DIFFICULTIES),
  duration: Type.String(),
  price: Type.Number({ description: 'The price; 0 if the course is free.' }),
  rating: Type.Number({ minimum: 0, maximum: 5 }),
  reviews_count: Count,
  instructor_id: nullable(Id),
  serial: Type.Integer(),
  settings: CourseSettings,
  lessons_count: Type.Integer({ minimum: 0, description: 'Number of published lessons in published sections.' }),
  students_count: Count,
  sectionsCount: Count,
  lessonsCount: Count,
  studentsCount: Count,
  is_enrolled: Type.Boolean(),
  isEnrolled: Type.Boolean(),
  progress: Type.Optional(
    Type.Integer({
      ...Percentage,
      description: 'Progress of the caller in percent; in lists only for courses in which they are enrolled.',
    }),
  ),
  created_at: Datetime,
  updated_at: Datetime,
}

export const Course = named('Course', record)

export const CourseCategory = named('CourseCategory', { id: Id, title: Type.String(), slug: Type.String() })

const RequiredCourse = named('RequiredCourse', { id: Id, title: Type.String(), slug: Type.String(), is_completed: Type.Boolean() })

const OutlineLesson = named('OutlineLesson', {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  type: oneOf(['lesson', 'quiz']),
  order: Count,
  duration: Type.String(),
  is_preview: Type.Boolean(),
  is_completed: Type.Boolean(),
  is_locked: Type.Boolean(),
  unlock_date: nullable(Datetime),
})

const SectionSummary = named('SectionSummary', {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  type: oneOf(['section']),
  created_at: Datetime,
  is_locked: Type.Boolean(),
  unlock_date: nullable(Datetime),
  lessons: Type.Array(OutlineLesson, { description: 'The published lessons of the section in order, without their content.' }),
})

const CourseTrack = named('CourseTrack', {
  completed_lessons: Type.Array(Id, { description: 'Ids of the published lessons that the caller has completed.' }),
  isEnrolled: Type.Boolean({ description: 'Whether the caller is enrolled.' }),
  progress: Type.Integer({ ...Percentage, description: 'Progress of the caller in percent.' }),
})

export const CourseDetail = named('CourseDetail', {
  ...record,
  progress: Type.Integer({ ...Percentage, description: 'Progress of the caller in percent.' }),
  enrolled_at: nullable(Datetime),
  published_at: nullable(Datetime),
  instructor: nullable(Type.Object({ id: Id, display_name: Type.String(), avatar: Type.String(), bio: Type.String() })),
  sections: Type.Array(SectionSummary, { description: 'The published sections in order.' }),
  track: CourseTrack,
  prerequisites: Type.Array(RequiredCourse, { description: 'Courses to complete before enrollment, if the caller can see them.' }),
  lockscreen: nullable(CourseLockscreen),
  permissions: Type.Object({
    can_manage: Type.Boolean(),
    can_self_enroll: Type.Boolean({ description: 'Whether the caller can enroll, regardless of prerequisites.' }),
    can_view_lessons: Type.Boolean(),
    can_view_students: Type.Boolean(),
    can_appoint_instructor: Type.Boolean(),
  }),
})

const Categories = Type.Array(CourseCategory, { description: 'Categories of the courses that the caller can see.' })
const CourseList = Type.Object({ courses: paginatorOf(Course), course_categories: Categories })

const title = Type.String({ minLength: 1, maxLength: COURSE_TITLE_LENGTH })
const description = Type.String({ minLength: 1, description: `A short description, at most ${COURSE_DESCRIPTION_BYTES} bytes.` })
const Required = Type.Optional(
  Type.Array(Id, {
    maxItems: COURSE_PREREQUISITES,
    description: 'Ids of the courses to complete before enrollment; replaces the previous list.',
  }),
)

const writable = {
  title: Type.Optional(title),
  slug: Type.Optional(
    Type.String({ maxLength: COURSE_SLUG_LENGTH, pattern: '^[A-Za-z0-9_-]*$', description: 'The unique slug: a-z, 0-9, - and _.' }),
  ),
  description: Type.Optional(description),
  content: Type.Optional(
    nullable(Type.String({ description: `The full description as HTML, at most ${COURSE_CONTENT_BYTES} bytes; it is sanitized.` })),
  ),
  featured_image: Type.Optional(nullable(Type.String())),
  logo: Type.Optional(nullable(Type.String())),
  cover_photo: Type.Optional(nullable(Type.String())),
  status: Type.Optional(oneOf(COURSE_STATUSES)),
  privacy: Type.Optional(oneOf(COURSE_PRIVACIES)),
  course_type: Type.Optional(oneOf(COURSE_TYPES)),
  category: Type.Optional(
    nullable(Type.String({ maxLength: 100, description: 'Title or slug of the category; created if it does not exist.' })),
  ),
  difficulty: Type.Optional(oneOf(DIFFICULTIES)),
  duration: Type.Optional(nullable(Type.String({ maxLength: 100, description: 'The duration, as free text.' }))),
  price: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000, description: 'The price; 0 if the course is free.' })),
  instructor_id: Type.Optional(nullable(Id)),
  settings: Type.Optional(CourseSettingsInput),
  prerequisites: Required,
  required_courses: Required,
}

export const courseId = pathId('course_id')
const perPage = paging(20)

export const courses = {
  list: route({
    method: 'GET',
    path: '/courses',
    access: 'member',
    summary: 'List courses',
    description: 'Returns the courses that the caller can see. Unpublished courses are listed with `status` for those who manage them.',
    query: Type.Object({
      ...perPage,
      status: Type.Optional(oneOf(COURSE_STATUSES, { default: 'published' })),
      category: Type.Optional(Type.String({ maxLength: 200, description: 'Only courses in this category, by title or slug.' })),
      difficulty: Type.Optional(oneOf(DIFFICULTIES)),
      instructor_id: Type.Optional(Id),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Only courses whose title or description contains this text.' })),
      orderby: Type.Optional(
        oneOf(COURSE_ORDERS, {
          default: 'created_at',
          description: 'Sort order; `rating` currently equals `created_at` because courses have no ratings.',
        }),
      ),
      order: Type.Optional(Order),
    }),
    response: CourseList,
  }),
  mine: route({
    method: 'GET',
    path: '/courses/my-courses',
    access: 'member',
    summary: 'List enrolled courses',
    query: Type.Object({
      ...perPage,
      status: Type.Optional(
        oneOf(['active', 'completed', 'all'], { default: 'active', description: 'Which courses to return; `active` means not completed.' }),
      ),
    }),
    response: CourseList,
  }),
  byId: route({
    method: 'GET',
    path: '/courses/{course_id}',
    access: 'member',
    summary: 'Get a course',
    params: courseId,
    response: dataOf(CourseDetail),
    errors: ['course_not_found'],
  }),
  bySlug: route({
    method: 'GET',
    path: '/courses/{course_slug}/by-slug',
    access: 'member',
    summary: 'Get a course by slug',
    params: Type.Object({ course_slug: Type.String({ maxLength: 300 }) }),
    response: dataOf(CourseDetail),
    errors: ['course_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/courses',
    access: 'manage_spaces',
    summary: 'Create a course',
    description:
      'Available to administrators and to managers of all spaces. The course is a draft unless `status` says otherwise. The caller is the instructor unless `instructor_id` is sent.',
    body: Type.Object({ ...writable, title, description }),
    response: messageAnd(
      Type.Object({ id: Id, title: Type.String(), slug: Type.String(), status: oneOf(COURSE_STATUSES), created_at: Datetime }),
    ),
    status: 201,
    errors: ['invalid_difficulty', 'duplicate_slug', 'invalid_url', 'rest_forbidden'],
    fieldErrors: { difficulty: 'invalid_difficulty' },
  }),
  update: route({
    method: 'PUT',
    path: '/courses/{course_id}',
    access: 'member',
    summary: 'Update a course',
    description: 'Only the fields that are sent change; `settings` are merged by key.',
    params: courseId,
    body: Type.Object(writable),
    response: messageAnd(
      Type.Object({ id: Id, title: Type.String(), slug: Type.String(), status: oneOf(COURSE_STATUSES), updated_at: Datetime }),
    ),
    errors: ['course_not_found', 'invalid_difficulty', 'duplicate_slug', 'invalid_url', 'rest_forbidden'],
    fieldErrors: { difficulty: 'invalid_difficulty' },
  }),
  remove: route({
    method: 'DELETE',
    path: '/courses/{course_id}',
    access: 'member',
    summary: 'Delete a course',
    params: courseId,
    response: Message,
    errors: ['course_not_found', 'rest_forbidden'],
  }),
  enroll: route({
    method: 'POST',
    path: '/courses/{course_id}/enroll',
    access: 'member',
    summary: 'Enroll in a course',
    description:
      'Enrollment in private courses is reserved to those who manage them. `data.missing` of the error `prerequisites_missing` lists the missing courses.',
    params: courseId,
    response: messageAnd(Type.Object({ enrollment_id: Id, course_id: Id, user_id: Id, enrolled_at: Datetime })),
    status: 201,
    errors: ['course_not_found', 'already_enrolled', 'prerequisites_missing', 'rest_forbidden'],
  }),
  unenroll: route({
    method: 'POST',
    path: '/courses/{course_id}/unenroll',
    access: 'member',
    summary: 'Leave a course',
    params: courseId,
    response: Message,
    errors: ['course_not_found', 'not_enrolled'],
  }),
  students: route({
    method: 'GET',
    path: '/courses/{course_id}/students',
    access: 'member',
    summary: 'List students',
    params: courseId,
    query: Type.Object({
      ...perPage,
      orderby: Type.Optional(oneOf(STUDENT_ORDERS, { default: 'enrolled_at' })),
      order: Type.Optional(Order),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Only students whose name contains this text.' })),
    }),
    response: listOf(
      named('CourseStudent', {
        user_id: Id,
        username: Type.String(),
        display_name: Type.String(),
        avatar: Type.String(),
        progress_percentage: Percentage,
        enrolled_at: Datetime,
        last_accessed: nullable(Datetime),
      }),
    ),
    errors: ['course_not_found', 'rest_forbidden'],
  }),
} as const

const studentPath = Type.Object({ ...courseId.properties, user_id: Id })

export const adminCourses = {
  saveLockscreens: route({
    method: 'PUT',
    path: '/admin/courses/{course_id}/lockscreens',
    access: 'member',
    summary: 'Update the lock screen of a course',
    description:
      'With the type `prerequisite`, `conditions.required_courses` lists the courses to complete before enrollment. Only the fields that are sent change.',
    params: courseId,
    body: CourseLockscreenInput,
    response: Type.Object({ message: Type.String(), lockscreen: CourseLockscreen }),
    errors: ['course_not_found', 'invalid_url', 'rest_forbidden'],
  }),
  students: route({
    method: 'GET',
    path: '/admin/courses/{course_id}/students',
    access: 'member',
    summary: 'List students with profiles',
    params: courseId,
    query: Type.Object({
      ...perPage,
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Only students whose name contains this text.' })),
      sort_by: Type.Optional(
        oneOf(ENROLLED_ORDERS, {
          default: 'created_at',
          description: 'Sort order; `last_activity` is the last activity anywhere in the community.',
        }),
      ),
      sort_dir: Type.Optional(Order),
    }),
    response: Type.Object({
      students: paginatorOf(
        named('EnrolledStudent', {
          ...ActiveXprofile.properties,
          progress: Percentage,
          space_pivot: Type.Object({ role: oneOf(['student']), status: oneOf(['active']), created_at: Datetime }),
        }),
      ),
    }),
    errors: ['course_not_found', 'rest_forbidden'],
  }),
  addStudent: route({
    method: 'POST',
    path: '/admin/courses/{course_id}/students',
    access: 'member',
    summary: 'Enroll a student',
    params: courseId,
    body: Type.Object({ user_id: Id }),
    response: messageAnd(Type.Object({ enrollment_id: Id, course_id: Id, user_id: Id, enrolled_at: Datetime })),
    status: 201,
    errors: ['course_not_found', 'user_not_found', 'already_enrolled', 'rest_forbidden'],
  }),
  removeStudent: route({
    method: 'DELETE',
    path: '/admin/courses/{course_id}/students/{user_id}',
    access: 'member',
    summary: 'Remove a student',
    params: studentPath,
    response: Message,
    errors: ['course_not_found', 'user_not_found', 'rest_forbidden'],
  }),
} as const
