import { COMMENT, COURSE, LESSON, OUTLINE, PERSON, pageOf, TRACK, USER } from '../shapes.ts'
import type { Request } from './table.ts'

const POST = {
  id: 'int',
  user_id: 'digits',
  space_id: 'digits',
  title: 'str',
  slug: 'str',
  message: 'str?',
  message_rendered: 'str?',
  type: 'str',
  content_type: 'str',
  privacy: 'str',
  status: 'str',
  featured_image: 'str?',
  meta: 'obj',
  is_sticky: 'digits',
  comments_count: 'int',
  reactions_count: 'int',
  priority: 'digits',
  expired_at: 'str?',
  scheduled_at: 'str?',
  created_at: 'time',
  updated_at: 'time',
} as const
const LESSON_POST = { ...LESSON, ...POST, parent_id: 'digits', meta: { ...LESSON.meta, document_ids: 'list' } } as const
const OWNED = {
  ...COURSE,
  owner: { ...USER, user_nicename: 'str', user_email: 'str', user_url: 'str', user_registered: 'time', user_status: 'digits' },
} as const
const STUDENT = {
  ...PERSON,
  progress: 'int',
  space_pivot: {
    id: 'int',
    space_id: 'digits',
    user_id: 'digits',
    status: 'str',
    role: 'str',
    meta: 'obj',
    created_at: 'time',
    updated_at: 'time',
  },
} as const

export const COURSES: readonly Request[] = [
  ['ana', '/courses', { courses: pageOf(COURSE), course_categories: 'list' }],
  ['ana', '/courses?type=enrolled', { courses: pageOf(COURSE) }],
  ['ana', '/courses/all-courses', { courses: [{ course: COURSE, sections: 'list', track: TRACK }], total: 'int' }],
  ['ana', '/courses/{course}', OUTLINE],
  ['ana', '/courses/{courseSlug}/by-slug', OUTLINE],
  ['ana', '/courses/{course}/lessons/{lesson}', { lesson: LESSON }],
  ['ana', '/courses/{courseSlug}/lessons/{lessonSlug}/by-slug', { lesson: LESSON }],
  ['admin', '/admin/courses', { courses: pageOf(OWNED), course_categories: 'list' }],
  ['admin', '/admin/courses?status=published', { courses: pageOf(OWNED) }],
  ['admin', '/admin/courses/{course}', { course: COURSE }],
  ['admin', '/admin/courses/{course}/sections', { sections: [{ ...POST, parent_id: 'int?', lessons: [LESSON_POST] }] }],
  ['admin', '/admin/courses/{course}/sections/{section}', { topic: { id: 'int', title: 'str' } }],
  ['admin', '/admin/courses/{course}/lessons', { lessons: [LESSON_POST] }],
  ['admin', '/admin/courses/{course}/lessons/{lesson}', { lesson: LESSON }],
  ['admin', '/admin/courses/{course}/students', { students: pageOf(STUDENT) }],
  ['admin', '/admin/courses/{course}/comments', { comments: pageOf({ ...COMMENT, post: { id: 'int', title: 'str' } }) }],
  ['admin', '/admin/courses/{course}/export/students', { students: [{ Name: 'str', Username: 'str', 'Progress %': 'int' }] }],
  ['admin', '/admin/courses/{quizCourse}/quiz-results', { results: 'obj' }],
  ['admin', '/admin/courses/{course}/users/search?search=an', { users: pageOf(USER) }],
  ['admin', '/admin/courses/{course}/instructors/search?search=an', { instructors: [USER] }],
  ['admin', '/admin/courses/{course}/meta-settings', { meta_settings: 'obj' }],
]
