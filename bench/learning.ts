import type { Person } from './data.ts'
import type { CourseSubject, School } from './learning-data.ts'
import type { Request } from './load.ts'
import type { Scenario } from './scenario.ts'

/** Selects all course scenarios. */
export const LEARNING = 'learning'
const NAMES = ['lessons', 'one-lesson', 'progress', 'my-courses', 'quiz-results', 'students', 'reorder'] as const
type Name = (typeof NAMES)[number]

export const isLearning = (name: string): boolean => name === LEARNING || (NAMES as readonly string[]).includes(name)

const CONNECTIONS = 8

/** Pages, filters and sort orders of quiz results. */
const results = ({ id, quiz }: CourseSubject): string[] =>
  [
    '',
    '?page=2&per_page=20',
    '?status=passed',
    '?status=failed&orderby=score&order=asc',
    '?orderby=score&order=desc',
    `?lesson_id=${quiz}`,
    `?lesson_id=${quiz}&status=passed&orderby=score`,
  ].map((query) => `/admin/courses/${id}/quiz-results${query}`)

const rosters = ({ id }: CourseSubject): string[] =>
  ['', '?orderby=enrolled_at&order=asc&page=2', '?orderby=progress&order=desc', '?orderby=display_name'].map(
    (query) => `/courses/${id}/students${query}`,
  )

interface Asking {
  readonly student: Person
  readonly admin: Person
  get(who: Person, path: string): Request
  send(method: 'POST' | 'PATCH', who: Person, path: string, body: object): Request
}

/** The course scenarios: each runs on the large course, and on the small one for comparison. */
export const learningScenarios = ({ large, small }: School, { student, admin, get, send }: Asking): readonly Scenario[] => {
  const both = (name: Name, title: string, make: (course: CourseSubject) => readonly Request[]): Scenario => ({
    name,
    title,
    connections: CONNECTIONS,
    requests: make(large),
    small: make(small),
  })
  return [
    both('lessons', 'list of 500 lessons', ({ id }) => [get(student, `/courses/${id}/lessons`)]),
    both('one-lesson', 'one lesson of 500', ({ id, lessons }) => [get(student, `/courses/${id}/lessons/${lessons[3]}`)]),
    both('progress', 'progress in a course', ({ id }) => [get(student, `/courses/${id}/progress`)]),
    // The student is enrolled in both courses, so there is no comparison.
    { name: 'my-courses', title: 'my courses', connections: CONNECTIONS, requests: [get(student, '/courses/my-courses')] },
    both('quiz-results', 'quiz results', (course) => results(course).map((path) => get(admin, path))),
    both('students', 'students of a course', (course) => rosters(course).map((path) => get(admin, path))),
    both('reorder', 'reorder 500 lessons', ({ id, lessons }) =>
      [lessons.toReversed(), lessons].map((lesson_ids) => send('PATCH', admin, `/courses/${id}/lessons/reorder`, { lesson_ids })),
    ),
  ]
}
