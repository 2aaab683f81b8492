import type { api } from '@lyceum/contract'
import { pageOf } from '../../core/pagination.ts'
import { type Db, type Placeholder, type QuizAttemptRow, selectRows, statementIn, statementOne } from '../../db/index.ts'
import type { Input } from '../../http/pipeline/route-handlers.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'

type Query = Input<typeof api.adminQuizzes.list>['query']
type Attempt = QuizAttemptRow

export interface ResultRow
  extends PersonColumns,
    Pick<
      Attempt,
      'id' | 'user_id' | 'lesson_id' | 'total_questions' | 'correct_answers' | 'passed' | 'attempt_number' | 'late' | 'time_spent'
    > {
  readonly score: number
  readonly status: 'completed' | 'graded'
  readonly submitted_at: string
  readonly lesson_title: string
  readonly lesson_slug: string
}

/** The conditions of a query; the most selective filter picks the index. */
const condition = (courseId: number, { lesson_id, user_id, status }: Query, p: Placeholder): string => {
  const byUser = user_id !== undefined
  const parts = [
    'a.submitted_at is not null',
    `a.course_id${byUser || lesson_id !== undefined ? ' + 0' : ''} = ${p(courseId)}`,
    ...(lesson_id === undefined ? [] : [`a.lesson_id = ${p(lesson_id)}`]),
    ...(byUser ? [`a.user_id = ${p(user_id)}`] : []),
    ...(status === 'passed' ? ['a.passed = 1'] : status === 'failed' ? ['a.passed = 0'] : []),
  ]
  return parts.join(' and ')
}

const ORDERS = { submitted_at: 'a.submitted_at', score: 'a.score', user_name: 'lower(u.display_name)' } as const

const rowsOf = statementIn<ResultRow>(
  (list) => `select a.id, a.user_id, a.score, a.total_questions, a.correct_answers, a.passed, a.attempt_number, a.status, a.late,
    a.time_spent, a.submitted_at, l.id as lesson_id, l.title as lesson_title, l.slug as lesson_slug, ${PERSON_COLUMNS}
    from quiz_attempts a join users u on u.id = a.user_id join lessons l on l.id = a.lesson_id where a.id in (${list})`,
)

/** A page of a course's submissions. Only ids are sorted and skipped, so that a late page costs little more than the first. */
export const listResults = async (db: Db, courseId: number, query: Query): Promise<ResultRow[]> => {
  const { orderby = 'submitted_at', order = 'desc' } = query
  const { limit, offset } = pageOf(query)
  const people = orderby === 'user_name' ? 'join users u on u.id = a.user_id' : ''
  const hits = await selectRows<{ id: number }>(
    db,
    (p) => `select a.id from quiz_attempts a ${people} where ${condition(courseId, query, p)}
      order by ${ORDERS[orderby]} ${order}, a.id ${order} limit ${p(limit)} offset ${p(offset)}`,
  )
  const ids = hits.map(({ id }) => id)
  const found = new Map((await rowsOf(db, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

interface Sums {
  readonly total: number
  readonly passed: number | null
  readonly score: number | null
  readonly time: number | null
}

const average = (sum: number | null, count: number): number => (count === 0 ? 0 : Math.round(((sum ?? 0) / count) * 100) / 100)

/** Statistics over all filtered submissions, from a covering index. */
export const statisticsOf = async (db: Db, courseId: number, query: Query) => {
  const [sums] = await selectRows<Sums>(
    db,
    (p) => `select count(*) as total, sum(a.passed) as passed, sum(a.score) as score, sum(a.time_spent) as time
      from quiz_attempts a where ${condition(courseId, query, p)}`,
  )
  const { total, passed, score, time } = sums ?? { total: 0, passed: 0, score: 0, time: 0 }
  return {
    total_submissions: total,
    passed: passed ?? 0,
    failed: total - (passed ?? 0),
    average_score: average(score, total),
    average_time: average(time, total),
  }
}

export const personOf = statementOne<PersonColumns & { user_id: number }>(
  `select u.id as user_id, ${PERSON_COLUMNS} from users u where u.id = $1`,
)
export const nameOf = statementOne<{ id: number; display_name: string }>('select id, display_name from users where id = $1')
