import { route } from '../route.ts'
import { Count, Datetime, dataOf, Id, Message, messageAnd, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const NextLesson = named('NextLesson', { id: Id, title: Type.String(), order: Count })

export const CourseProgress = named('CourseProgress', {
  course_id: Id,
  user_id: Id,
  progress_percentage: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Completed lessons as a percentage of the published lessons, rounded down.',
  }),
  completed_lessons: Count,
  total_lessons: Count,
  time_spent: Type.String({ description: 'Time spent on quizzes, such as `1h 5m`.' }),
  last_accessed: nullable(Datetime),
  started_at: Datetime,
  completed_at: nullable(Datetime),
  certificate_url: nullable(Type.String()),
  next_lesson: nullable(NextLesson),
})

const certificate = {
  certificate_url: Type.String({ description: 'URL of a public page with the certificate.' }),
  certificate_id: Type.String(),
  issued_at: Datetime,
  course_title: Type.String(),
  student_name: Type.String(),
}
export const Certificate = named('Certificate', certificate)

const courseId = Type.Object({ course_id: Id })
const lessonPath = Type.Object({ course_id: Id, lesson_id: Id })

const toLearn = ['course_not_found', 'lesson_not_found', 'not_enrolled', 'lesson_locked', 'rest_forbidden'] as const

const Completed = Type.Object({
  lesson_id: Id,
  completed_at: Datetime,
  progress_percentage: Count,
  next_lesson: nullable(Type.Object({ id: Id, title: Type.String() })),
})

export const progress = {
  complete: route({
    method: 'POST',
    path: '/courses/{course_id}/lessons/{lesson_id}/complete',
    access: 'member',
    summary: 'Mark a lesson as completed',
    description:
      'A repeated request returns the time of the first completion. A quiz with questions is completed by passing it; otherwise the request returns 403 `rest_forbidden`.',
    params: lessonPath,
    response: messageAnd(Completed),
    errors: toLearn,
  }),
  incomplete: route({
    method: 'POST',
    path: '/courses/{course_id}/lessons/{lesson_id}/incomplete',
    access: 'member',
    summary: 'Mark a lesson as not completed',
    params: lessonPath,
    response: messageAnd(Type.Object({ lesson_id: Id, progress_percentage: Count })),
    errors: ['course_not_found', 'lesson_not_found', 'not_enrolled'],
  }),
  setCompletion: route({
    method: 'PUT',
    path: '/courses/{course_id}/lessons/{lesson_id}/completion',
    access: 'member',
    summary: 'Set the completion of a lesson',
    params: lessonPath,
    body: Type.Object({ state: oneOf(['completed', 'incomplete']) }),
    response: Type.Object({ message: Type.String(), is_completed: Type.Boolean(), progress_percentage: Count }),
    errors: toLearn,
  }),
  get: route({
    method: 'GET',
    path: '/courses/{course_id}/progress',
    access: 'member',
    summary: 'Get course progress',
    description: 'Returns the progress of the caller; those who manage the course can request any student.',
    params: courseId,
    query: Type.Object({ user_id: Type.Optional(Id) }),
    response: dataOf(CourseProgress),
    errors: ['course_not_found', 'not_enrolled', 'rest_forbidden'],
  }),
  reset: route({
    method: 'DELETE',
    path: '/courses/{course_id}/progress',
    access: 'member',
    summary: 'Reset course progress',
    params: courseId,
    response: Message,
    errors: ['course_not_found', 'not_enrolled'],
  }),
  resetStudent: route({
    method: 'DELETE',
    path: '/admin/courses/{course_id}/students/{user_id}/progress',
    access: 'member',
    summary: 'Reset the progress of a student',
    params: Type.Object({ course_id: Id, user_id: Id }),
    response: Message,
    errors: ['course_not_found', 'member_not_found', 'rest_forbidden'],
  }),
  certificate: route({
    method: 'GET',
    path: '/courses/{course_id}/certificate',
    access: 'member',
    summary: 'Get the course certificate',
    description:
      'Requires that the caller has completed the course. Until then, `data.progress_percentage` of the error contains the progress.',
    params: courseId,
    response: dataOf(Certificate),
    errors: ['course_not_found', 'not_enrolled', 'course_not_complete'],
  }),
} as const

export const certificates = {
  check: route({
    method: 'GET',
    path: '/certificates/{code}',
    access: 'public',
    summary: 'Verify a certificate',
    description: 'Anyone with the code can verify a certificate. A revoked or unknown one returns 404.',
    params: Type.Object({ code: Type.String({ maxLength: 64 }) }),
    response: dataOf(Certificate),
    errors: ['certificate_not_found'],
  }),
} as const
