import type { STUDENT_ORDERS } from '@lyceum/contract'
import { type Db, matchingPeople, namesOf, parameters, runText, type Value } from '../../db/index.ts'
import { ACTIVE_PERSON_COLUMNS, type ActivePersonColumns } from '../members/view.ts'
import type { Window } from './queries.ts'

export interface StudentRow extends ActivePersonColumns {
  readonly user_id: number
  readonly enrolled_at: string
  readonly last_accessed_at: string | null
  readonly progress: number
}

type Order = (typeof STUDENT_ORDERS)[number] | 'last_activity'

/** The first and the last come out of an index; what stands with the people is sorted, by what is needed for it alone. */
const ORDERS: Readonly<Record<Order, readonly [tables: string, by: string]>> = {
  enrolled_at: ['enrolments e', 'e.enrolled_at'],
  display_name: ['enrolments e join users u on u.id = e.user_id', 'u.display_name'],
  last_activity: ['enrolments e join users u on u.id = e.user_id', `coalesce(u.last_activity, '')`],
  progress: ['enrolments e', 'e.progress'],
}

export interface StudentsWanted {
  readonly courseId: number
  /** How many there are in all. */
  readonly count: number
  readonly search?: string | undefined
  readonly by: Order
  readonly direction: 'asc' | 'desc'
}

/** The students of a smaller course are looked at one by one. */
const FEW = 2000

const condition = (
  db: Db,
  { courseId, count, search }: Pick<StudentsWanted, 'courseId' | 'count' | 'search'>,
  p: (value: Value) => string,
) => {
  const here = `e.course_id = ${p(courseId)}`
  if (!search) return here
  const names = count > FEW ? matchingPeople(db, search, p, 'e.user_id') : namesOf(search, p, 'e.user_id')
  return `${here} and ${names ?? '1 = 0'}`
}

/** A page of the students of a course, and how many there are that match. */
export const listStudents = async (db: Db, wanted: StudentsWanted, { limit, offset }: Window) => {
  const { count, search, by, direction } = wanted
  const { values, p } = parameters()
  const [tables, column] = ORDERS[by]
  const hits = `select e.id from ${tables} where ${condition(db, wanted, p)}
    order by ${column} ${direction}, e.id ${direction} limit ${p(limit)} offset ${p(offset)}`
  const text = `select e.user_id, e.enrolled_at, e.last_accessed_at, e.progress, ${ACTIVE_PERSON_COLUMNS}
    from enrolments e join users u on u.id = e.user_id where e.id in (${hits}) order by ${column} ${direction}, e.id ${direction}`
  const counting = parameters()
  const matching = `select count(*) as total from enrolments e where ${condition(db, wanted, counting.p)}`
  const [rows, counted] = await Promise.all([
    runText<StudentRow>(db, text, values),
    search ? runText<{ total: number }>(db, matching, counting.values) : [{ total: count }],
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}
