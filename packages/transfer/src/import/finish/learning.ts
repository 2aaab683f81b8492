import { ApiError } from '../../../../server/src/core/errors.ts'
import { runText, statement } from '../../../../server/src/db/index.ts'
import { withRequiredCourses } from '../../../../server/src/modules/courses/lockscreen.ts'
import { setRequired } from '../../../../server/src/modules/courses/prerequisites.ts'
import { quietWrite } from '../../bulk/quiet-write.ts'
import { readBatches } from '../batches.ts'
import { reconcileStudents, type Student } from '../kinds/progress.ts'
import type { Run } from '../run.ts'
import { writeSlice } from '../slice.ts'

const PAGE = 200

const imported = statement<{ id: number }>(
  `select distinct local_id as id from import_map where source = $1 and kind = 'courses' and local_id is not null order by local_id`,
)
const twins = statement<{ n: number }>(
  'select count(*) as n from lessons where course_id = $1 group by position having count(*) > 1 limit 1',
)
/** Renumbers lessons whose positions are relative to their sections. */
const renumber = statement(
  `update lessons set position = o.place from
     (select l.id, row_number() over (order by s.position, s.id, l.position, l.id) as place
      from lessons l join course_sections s on s.id = l.section_id where l.course_id = $1) o
   where lessons.id = o.id and lessons.position <> o.place`,
)
const students = statement<{ user_id: number }>(
  `select user_id from enrolments where course_id = $1 and user_id > $2 order by user_id limit ${PAGE}`,
)

/** Sets the prerequisites of courses after all courses are imported. Prerequisites that would form a cycle are dropped. */
const requireCourses = async (run: Run): Promise<void> => {
  const { database } = run.services
  for await (const candidates of readBatches(
    run.source,
    'courses',
    () => PAGE,
    () => {},
  )) {
    const wanted = candidates.filter(({ record }) => (record.prerequisites ?? []).length > 0)
    const courses = await run.find(
      'courses',
      wanted.flatMap(({ record }) => [record.id, ...(record.prerequisites ?? [])]),
    )
    for (const { record } of wanted) {
      const course = courses.get(record.id)
      if (!course) continue
      const ids = (record.prerequisites ?? []).flatMap((id) => courses.get(id)?.id ?? []).filter((id) => id !== course.id)
      const before = await runText<{ required_id: number }>(
        database.read,
        'select required_id from course_prerequisites where course_id = $1',
        [course.id],
      )
      // Keep prerequisites set in this community or by an earlier import.
      if (ids.length === 0 || before.length > 0) continue
      await database.write(async (db) => {
        const ctx = quietWrite(run.services, db, { now: run.now, userId: 0 })
        const isSet = await setRequired(ctx, course.id, ids, 'prerequisites').then(
          () => true,
          (error: unknown) => {
            if (error instanceof ApiError) return false
            throw error
          },
        )
        if (!isSet) return run.report.note('courses', record.id, 'its prerequisites were dropped: a course would require itself')
        const { lockscreen } = await db.selectFrom('courses').select('lockscreen').where('id', '=', course.id).executeTakeFirstOrThrow()
        const after = JSON.stringify(withRequiredCourses(lockscreen, ids))
        await db.updateTable('courses').set({ lockscreen: after }).where('id', '=', course.id).execute()
      })
    }
  }
}

/** Renumbers lessons, and updates the progress of students to the current lessons. */
export const completeCourses = async (run: Run): Promise<void> => {
  const { database } = run.services
  const courses = await imported(database.read, [run.name])
  if (courses.length === 0) return
  await requireCourses(run)
  for (const { id } of courses) {
    run.checkSignal()
    if ((await twins(database.read, [id])).length > 0) await database.write((db) => renumber(db, [id]))
    for (let after = 0; ; ) {
      const rows = await students(database.read, [id, after])
      const some = rows.map(({ user_id }): Student => [id, user_id])
      if (some.length > 0) await database.write((db) => writeSlice(run, db, (slice) => reconcileStudents(run, slice, some, true)))
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      after = last.user_id
      await run.pace.rest()
    }
  }
}
