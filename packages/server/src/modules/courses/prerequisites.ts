import { COURSE_PREREQUISITES } from '@lyceum/contract'
import type { Actor, WriteRequest } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { countRows, type Db, lockName, selectRows, statement, statementValues } from '../../db/index.ts'
import { visibleCourses } from './access.ts'
import { type CourseFor, courseTables } from './course-row.ts'

/** A required course, with its visibility and completion for the caller. */
export interface RequiredCourse extends Pick<CourseFor, 'id' | 'title' | 'slug' | 'my_completed_at'> {
  readonly visible: 0 | 1
}

export const requiredCourses = (db: Db, actor: Actor, courseId: number): Promise<RequiredCourse[]> =>
  selectRows<RequiredCourse>(
    db,
    (
      p,
    ) => `select c.id, c.title, c.slug, n.completed_at as my_completed_at, case when ${visibleCourses(actor, p)} then 1 else 0 end as visible
      from course_prerequisites r join courses c on c.id = r.required_id
      left join enrolments n on n.course_id = c.id and n.user_id = ${p(actor.id)} where r.course_id = ${p(courseId)} order by c.id`,
  )

const present = statementValues<number>('select required_id from course_prerequisites where course_id = $1')
const deleteAll = statement('delete from course_prerequisites where course_id = $1')
const insert = statement('insert into course_prerequisites (course_id, required_id) values ($1, $2)')

/** Validates and deduplicates ids from a request. @throws invalid_data */
export const readRequired = (value: unknown, field: string): number[] => {
  if (value === undefined || value === null) return []
  const isId = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) > 0
  if (!Array.isArray(value) || !value.every(isId)) throw invalidField(field, 'must be a list of course ids')
  const ids = [...new Set(value)]
  if (ids.length > COURSE_PREREQUISITES) throw invalidField(field, `must have at most ${COURSE_PREREQUISITES} courses`)
  return ids
}

export const existingCourses = async (db: Db, ids: readonly number[]): Promise<number[]> => {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('courses').select('id').where('id', 'in', ids).execute()
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

/** @throws invalid_data if a course does not exist or is not visible to the caller */
const checkVisible = async (db: Db, actor: Actor, ids: readonly number[], field: string): Promise<void> => {
  const visible = await countRows(
    db,
    (p) => `${courseTables(p(actor.id))} where c.id in (${ids.map(p).join(', ')}) and ${visibleCourses(actor, p)}`,
  )
  if (visible < ids.length) throw invalidField(field, 'must contain only existing courses')
}

/** @throws invalid_data if a course would require itself, directly or transitively */
const checkCycle = async (db: Db, courseId: number, ids: readonly number[], field: string): Promise<void> => {
  const cycle = await selectRows(
    db,
    (p) => `with recursive before(id) as (
        select c.id from courses c where c.id in (${ids.map(p).join(', ')})
        union select r.required_id from course_prerequisites r join before b on b.id = r.course_id)
      select id from before where id = ${p(courseId)}`,
  )
  if (cycle.length > 0) throw invalidField(field, 'must not require the course itself, directly or through another course')
}

/** Replaces the required courses; the caller must hold the course's row lock. @throws invalid_data */
export const setRequired = async ({ db, actor }: WriteRequest, courseId: number, ids: readonly number[], field: string): Promise<void> => {
  // Serializes all changes: two courses requiring each other concurrently would not notice the cycle.
  await lockName(db, 'course prerequisites')
  const before = new Set(await present(db, [courseId]))
  const added = ids.filter((id) => !before.has(id))
  if (added.length > 0) {
    await checkVisible(db, actor, added, field)
    await checkCycle(db, courseId, added, field)
  }
  await deleteAll(db, [courseId])
  for (const id of ids) await insert(db, [courseId, id])
}
