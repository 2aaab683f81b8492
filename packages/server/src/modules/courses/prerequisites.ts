import { COURSE_PREREQUISITES } from '@lyceum/contract'
import type { Actor, ReadRequest } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { type Db, lockName, parameters, runText, statement } from '../../db/index.ts'
import { visibleCourses } from './access.ts'
import { courseTables } from './course-row.ts'

/** A course that is asked for, as the caller stands to it. */
export interface Required {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly visible: 0 | 1
  readonly my_completed_at: string | null
}

/** All courses that must be completed before one enrols in this one. */
export const requiredCourses = (db: Db, actor: Actor, courseId: number): Promise<Required[]> => {
  const { values, p } = parameters()
  const text = `select c.id, c.title, c.slug, n.completed_at as my_completed_at, case when ${visibleCourses(actor, p)} then 1 else 0 end as visible
    from course_prerequisites r join courses c on c.id = r.required_id
    left join enrolments n on n.course_id = c.id and n.user_id = ${p(actor.id)} where r.course_id = ${p(courseId)} order by c.id`
  return runText<Required>(db, text, values)
}

const present = statement<{ required_id: number }>('select required_id from course_prerequisites where course_id = $1')
const forget = statement('delete from course_prerequisites where course_id = $1')
const require = statement('insert into course_prerequisites (course_id, required_id) values ($1, $2)')

/** The ids that a client sent, each once. @throws invalid_data */
export const readRequired = (value: unknown, field: string): number[] => {
  if (value === undefined || value === null) return []
  const isId = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) > 0
  if (!Array.isArray(value) || !value.every(isId)) throw invalidField(field, 'must be a list of ids of courses')
  const ids = [...new Set(value)]
  if (ids.length > COURSE_PREREQUISITES) throw invalidField(field, `must have at most ${COURSE_PREREQUISITES} courses`)
  return ids
}

/** Those of these courses that are still there. */
export const stillThere = async (db: Db, ids: readonly number[]): Promise<number[]> => {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('courses').select('id').where('id', 'in', ids).execute()
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

/** @throws invalid_data for a course that is not there or not seen by the caller */
const checkSeen = async (db: Db, actor: Actor, ids: readonly number[], field: string): Promise<void> => {
  const { values, p } = parameters()
  const text = `select c.id from ${courseTables(p(actor.id))} where c.id in (${ids.map(p).join(', ')}) and ${visibleCourses(actor, p)}`
  if ((await runText(db, text, values)).length < ids.length) throw invalidField(field, 'must name courses that exist')
}

/** @throws invalid_data where a course would have to be completed before itself */
const checkCircle = async (db: Db, courseId: number, ids: readonly number[], field: string): Promise<void> => {
  const { values, p } = parameters()
  const text = `with recursive before(id) as (
      select c.id from courses c where c.id in (${ids.map(p).join(', ')})
      union select r.required_id from course_prerequisites r join before b on b.id = r.course_id)
    select id from before where id = ${p(courseId)}`
  if ((await runText(db, text, values)).length > 0)
    throw invalidField(field, 'must not ask for the course itself, directly or through another')
}

type Asking = Pick<ReadRequest, 'db' | 'actor'>

/** Puts these courses before a course, whose row is held, in place of those so far. @throws invalid_data */
export const setRequired = async ({ db, actor }: Asking, courseId: number, ids: readonly number[], field: string): Promise<void> => {
  // Two courses that ask for each other at the same time would not see it.
  await lockName(db, 'course prerequisites')
  const before = new Set((await present(db, [courseId])).map((row) => row.required_id))
  const added = ids.filter((id) => !before.has(id))
  if (added.length > 0) {
    await checkSeen(db, actor, added, field)
    await checkCircle(db, courseId, added, field)
  }
  await forget(db, [courseId])
  for (const id of ids) await require(db, [courseId, id])
}
