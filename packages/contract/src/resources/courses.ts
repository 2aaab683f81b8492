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
export const COURSE_PRIVACIES = ['public', 'private', 'secret'] as const
export const DIFFICULTIES = ['beginner', 'intermediate', 'advanced'] as const
export const COURSE_ORDERS = ['created_at', 'updated_at', 'title', 'rating'] as const
export const STUDENT_ORDERS = ['enrolled_at', 'display_name', 'progress'] as const
const ENROLLED_ORDERS = ['created_at', 'display_name', 'last_activity', 'progress'] as const

/** Longest title and slug in characters, longest texts in bytes of UTF-8. */
export const COURSE_TITLE_LENGTH = 194
export const COURSE_SLUG_LENGTH = 194
export const COURSE_DESCRIPTION_BYTES = 5000
export const COURSE_CONTENT_BYTES = 50_000

const Address = Type.String({ description: 'URL, may be empty' })
const Percentage = Type.Integer({ minimum: 0, maximum: 100 })

const record = {
  id: Id,
  created_by: nullable(Id),
  title: Type.String(),
  slug: Type.String(),
  description: Type.String({ description: 'A short text, as it was sent' }),
  content: Type.String({ description: 'Safe HTML' }),
  featured_image: Address,
  logo: Address,
  cover_photo: Address,
  type: oneOf(['course']),
  status: oneOf(COURSE_STATUSES),
  privacy: oneOf(COURSE_PRIVACIES, { description: 'public: everybody may enrol; private: who is added; secret: hidden from all others' }),
  course_type: oneOf(COURSE_TYPES, {
    description: 'structured: sections open some days after one has enrolled; scheduled: at a date of their own',
  }),
  category: Type.String({ description: 'Its title; empty: none' }),
  difficulty: oneOf(DIFFICULTIES),
  duration: Type.String(),
  price: Type.Number({ description: '0: free' }),
  rating: Type.Number({ minimum: 0, maximum: 5 }),
  reviews_count: Count,
  instructor_id: nullable(Id),
  serial: Type.Integer(),
  settings: CourseSettings,
  lessons_count: Type.Integer({ minimum: 0, description: 'Published lessons in published sections' }),
  students_count: Count,
  sectionsCount: Count,
  lessonsCount: Count,
  studentsCount: Count,
  is_enrolled: Type.Boolean(),
  isEnrolled: Type.Boolean(),
  progress: Type.Optional(Type.Integer({ ...Percentage, description: 'Of the caller, in percent; in lists only where enrolled' })),
  created_at: Datetime,
  updated_at: Datetime,
}

export const Course = named('Course', record)

export const CourseCategory = named('CourseCategory', { id: Id, title: Type.String(), slug: Type.String() })

const RequiredCourse = named('RequiredCourse', { id: Id, title: Type.String(), slug: Type.String(), is_completed: Type.Boolean() })

const SectionHead = named('SectionHead', {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  type: oneOf(['section']),
  created_at: Datetime,
  is_locked: Type.Boolean(),
  unlock_date: nullable(Datetime),
})

export const CourseDetail = named('CourseDetail', {
  ...record,
  progress: Type.Integer({ ...Percentage, description: 'Of the caller, in percent' }),
  enrolled_at: nullable(Datetime),
  published_at: nullable(Datetime),
  instructor: nullable(Type.Object({ id: Id, display_name: Type.String(), avatar: Type.String(), bio: Type.String() })),
  sections: Type.Array(SectionHead, { description: 'Published ones, in their order' }),
  prerequisites: Type.Array(RequiredCourse, { description: 'Courses to be completed before one enrols, of those that the caller may see' }),
  lockscreen: nullable(CourseLockscreen),
  permissions: Type.Object({
    can_manage: Type.Boolean(),
    can_self_enroll: Type.Boolean({ description: 'Prerequisites aside' }),
    can_view_lessons: Type.Boolean(),
    can_view_students: Type.Boolean(),
    can_appoint_instructor: Type.Boolean(),
  }),
})

const Categories = Type.Array(CourseCategory, { description: 'Those of courses that the caller may see' })
const CourseList = Type.Object({ courses: paginatorOf(Course), course_categories: Categories })

const title = Type.String({ minLength: 1, maxLength: COURSE_TITLE_LENGTH })
const description = Type.String({ minLength: 1, description: `At most ${COURSE_DESCRIPTION_BYTES} bytes` })
const Required = Type.Optional(
  Type.Array(Id, { maxItems: COURSE_PREREQUISITES, description: 'Courses to be completed before one enrols; replaces those so far' }),
)

const writable = {
  title: Type.Optional(title),
  slug: Type.Optional(
    Type.String({ maxLength: COURSE_SLUG_LENGTH, pattern: '^[A-Za-z0-9_-]*$', description: 'a-z, 0-9, - and _; unique' }),
  ),
  description: Type.Optional(description),
  content: Type.Optional(nullable(Type.String({ description: `HTML, at most ${COURSE_CONTENT_BYTES} bytes; kept sanitised` }))),
  featured_image: Type.Optional(nullable(Type.String())),
  logo: Type.Optional(nullable(Type.String())),
  cover_photo: Type.Optional(nullable(Type.String())),
  status: Type.Optional(oneOf(COURSE_STATUSES)),
  privacy: Type.Optional(oneOf(COURSE_PRIVACIES)),
  course_type: Type.Optional(oneOf(COURSE_TYPES)),
  category: Type.Optional(nullable(Type.String({ maxLength: 100, description: 'Its title or slug; made where there is none yet' }))),
  difficulty: Type.Optional(oneOf(DIFFICULTIES)),
  duration: Type.Optional(nullable(Type.String({ maxLength: 100, description: 'In words' }))),
  price: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000, description: '0: free' })),
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
    summary: 'List the courses that the caller may see',
    description: 'Courses that are not published are listed for those who run them, where `status` asks for them.',
    query: Type.Object({
      ...perPage,
      status: Type.Optional(oneOf(COURSE_STATUSES, { default: 'published' })),
      category: Type.Optional(Type.String({ maxLength: 200, description: 'Title or slug of a category' })),
      difficulty: Type.Optional(oneOf(DIFFICULTIES)),
      instructor_id: Type.Optional(Id),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of title or description' })),
      orderby: Type.Optional(
        oneOf(COURSE_ORDERS, { default: 'created_at', description: 'rating: nobody rates courses yet, so it is the same as created_at' }),
      ),
      order: Type.Optional(Order),
    }),
    response: CourseList,
  }),
  mine: route({
    method: 'GET',
    path: '/courses/my-courses',
    access: 'member',
    summary: 'Courses in which the caller is enrolled, the newest enrolment first',
    query: Type.Object({
      ...perPage,
      status: Type.Optional(oneOf(['active', 'completed', 'all'], { default: 'active', description: 'active: not completed yet' })),
    }),
    response: CourseList,
  }),
  byId: route({
    method: 'GET',
    path: '/courses/{course_id}',
    access: 'member',
    summary: 'Read a course',
    params: courseId,
    response: dataOf(CourseDetail),
    errors: ['course_not_found'],
  }),
  bySlug: route({
    method: 'GET',
    path: '/courses/{course_slug}/by-slug',
    access: 'member',
    summary: 'Read a course by its slug',
    params: Type.Object({ course_slug: Type.String({ maxLength: 300 }) }),
    response: dataOf(CourseDetail),
    errors: ['course_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/courses',
    access: 'manage_spaces',
    summary: 'Make a course',
    description:
      'Administrators and managers of all spaces. It is a draft unless `status` says otherwise; the caller teaches it unless `instructor_id` says who does.',
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
    summary: 'Change a course',
    description: 'Only what is sent changes; `settings` are merged by key.',
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
    summary: 'Delete a course with its lessons and the progress of its students',
    params: courseId,
    response: Message,
    errors: ['course_not_found', 'rest_forbidden'],
  }),
  enroll: route({
    method: 'POST',
    path: '/courses/{course_id}/enroll',
    access: 'member',
    summary: 'Enrol in a course',
    description: 'A private course takes only who is added by those who run it. `data.missing` of prerequisites_missing names the courses.',
    params: courseId,
    response: messageAnd(Type.Object({ enrollment_id: Id, course_id: Id, user_id: Id, enrolled_at: Datetime })),
    status: 201,
    errors: ['course_not_found', 'already_enrolled', 'prerequisites_missing', 'rest_forbidden'],
  }),
  unenroll: route({
    method: 'POST',
    path: '/courses/{course_id}/unenroll',
    access: 'member',
    summary: 'Leave a course; what was completed counts again for who comes back',
    params: courseId,
    response: Message,
    errors: ['course_not_found', 'not_enrolled'],
  }),
  students: route({
    method: 'GET',
    path: '/courses/{course_id}/students',
    access: 'member',
    summary: 'Who is enrolled in a course, for those who run it',
    params: courseId,
    query: Type.Object({
      ...perPage,
      orderby: Type.Optional(oneOf(STUDENT_ORDERS, { default: 'enrolled_at' })),
      order: Type.Optional(Order),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Parts of the name' })),
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
    summary: 'Set what stands before the door of a course',
    description:
      'With type prerequisite, `conditions.required_courses` names courses that must be completed before one enrols. Only what is sent changes.',
    params: courseId,
    body: CourseLockscreenInput,
    response: Type.Object({ message: Type.String(), lockscreen: CourseLockscreen }),
    errors: ['course_not_found', 'invalid_url', 'rest_forbidden'],
  }),
  students: route({
    method: 'GET',
    path: '/admin/courses/{course_id}/students',
    access: 'member',
    summary: 'Who is enrolled in a course, with their profiles',
    params: courseId,
    query: Type.Object({
      ...perPage,
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Parts of the name' })),
      sort_by: Type.Optional(oneOf(ENROLLED_ORDERS, { default: 'created_at', description: 'last_activity: anywhere in the community' })),
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
    summary: 'Enrol somebody, whatever the privacy and the prerequisites of the course',
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
    summary: 'Take somebody out of a course',
    params: studentPath,
    response: Message,
    errors: ['course_not_found', 'user_not_found', 'rest_forbidden'],
  }),
} as const
