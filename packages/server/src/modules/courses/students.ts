import type { STUDENT_ORDERS } from '@lyceum/contract'
import { countRows, type Db, matchingUsers, namesOf, type PageWindow, type Placeholder, selectRows } from '../../db/index.ts'
import { ACTIVE_PERSON_COLUMNS, type ActivePersonColumns } from '../members/view.ts'

export interface StudentRow extends ActivePersonColumns {
  readonly user_id: number
  readonly enrolled_at: string
  readonly last_accessed_at: string | null
  readonly progress: number
}

type Order = (typeof STUDENT_ORDERS)[number] | 'last_activity'

/** Two of the orders come from an index; the others sort rows of the joined table. */
const ORDERS: Readonly<Record<Order, readonly [tables: string, by: string]>> = {
  enrolled_at: ['enrolments e', 'e.enrolled_at'],
  display_name: ['enrolments e join users u on u.id = e.user_id', 'u.display_name'],
  last_activity: ['enrolments e join users u on u.id = e.user_id', `coalesce(u.last_activity, '')`],
  progress: ['enrolments e', 'e.progress'],
}

interface StudentQuery {
  readonly courseId: number
  readonly count: number
  readonly search?: string | undefined
  readonly by: Order
  readonly direction: 'asc' | 'desc'
}

/** Up to this number of students, the search scans them one by one. */
const SCAN_MAX_STUDENTS = 2000

const condition = (db: Db, { courseId, count, search }: StudentQuery, p: Placeholder) => {
  const here = `e.course_id = ${p(courseId)}`
  if (!search) return here
  const names = count > SCAN_MAX_STUDENTS ? matchingUsers(db, search, p, 'e.user_id') : namesOf(search, p, 'e.user_id')
  return `${here} and ${names ?? '1 = 0'}`
}

export const listStudents = async (db: Db, wanted: StudentQuery, { limit, offset }: PageWindow) => {
  const { count, search, by, direction } = wanted
  const [tables, column] = ORDERS[by]
  const order = `order by ${column} ${direction}, e.id ${direction}`
  const hits = (p: Placeholder) =>
    `select e.id from ${tables} where ${condition(db, wanted, p)} ${order} limit ${p(limit)} offset ${p(offset)}`
  const [rows, total] = await Promise.all([
    selectRows<StudentRow>(
      db,
      (p) => `select e.user_id, e.enrolled_at, e.last_accessed_at, e.progress, ${ACTIVE_PERSON_COLUMNS}
        from enrolments e join users u on u.id = e.user_id where e.id in (${hits(p)}) ${order}`,
    ),
    search ? countRows(db, (p) => `enrolments e where ${condition(db, wanted, p)}`) : count,
  ])
  return { rows, total }
}
