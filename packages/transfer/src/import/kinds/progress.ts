import { batchStatement, updateRows } from '../../../../server/src/db/index.ts'
import { LESSONS_DONE, percentageOf } from '../../../../server/src/modules/courses/index.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'

interface Standing {
  readonly id: number
  readonly slug: string
  readonly username: string
  readonly course_id: number
  readonly user_id: number
  readonly completed_lessons: number
  readonly progress: number
  readonly completed_at: string | null
  readonly lessons_count: number
  readonly done: number
  /** Time of the latest lesson completion. */
  readonly latest: string | null
  readonly first_at: string | null
  readonly certificate_code: string | null
  readonly certificate_at: string | null
}

const standingsOf = batchStatement<Standing>(
  { course_id: 'bigint', user_id: 'bigint' },
  (
    rows,
  ) => `select e.id, c.slug, u.username, e.course_id, e.user_id, e.completed_lessons, e.progress, e.completed_at, c.lessons_count, ${LESSONS_DONE} as done,
      (select max(x.completed_at) from lesson_completions x where x.course_id = e.course_id and x.user_id = e.user_id) as latest,
      k.completed_at as first_at, k.certificate_code, k.certificate_at
    from ${rows} d cross join enrolments e join courses c on c.id = e.course_id join users u on u.id = e.user_id
    left join course_completions k on k.course_id = e.course_id and k.user_id = e.user_id
    where e.course_id = d.course_id and e.user_id = d.user_id`,
)

const saveCompletions = batchStatement(
  { course_id: 'bigint', user_id: 'bigint', completed_at: 'text', code: 'text', certificate_at: 'text' },
  (rows) => `insert into course_completions (course_id, user_id, completed_at, certificate_code, certificate_at)
    select d.course_id, d.user_id, d.completed_at, d.code, d.certificate_at from ${rows} d where 1 = 1
    on conflict (course_id, user_id) do update set certificate_code = excluded.certificate_code, certificate_at = excluded.certificate_at`,
)

export type Student = readonly [course: number, user: number]

/**
 * Updates enrolments to the completed lessons: progress, completion, certificate. `isLast`: all completions are imported, so a
 * certificate without them is suspended.
 */
export const reconcileStudents = async (run: Run, slice: Slice, students: readonly Student[], isLast = false): Promise<void> => {
  const standings = await standingsOf(slice.db, students)
  const enrolments: [number, number, number, string | null][] = []
  const completions: [number, number, string, string | null, string | null][] = []
  for (const one of standings) {
    const { course_id: course, user_id: user } = one
    const isComplete = one.lessons_count > 0 && one.done >= one.lessons_count
    const completed = isComplete ? (one.first_at ?? one.latest ?? run.now) : null
    const progress = percentageOf(one.done, one.lessons_count)
    if (one.completed_lessons !== one.done || one.progress !== progress || one.completed_at !== completed)
      enrolments.push([one.id, one.done, progress, completed])
    if (completed !== null) {
      const code = one.certificate_code ?? run.derived.code('certificate', 'enrolments', `${one.slug} ${one.username}`)
      const certificateAt = one.certificate_at ?? completed
      if (one.first_at === null || one.certificate_code !== code || one.certificate_at !== certificateAt)
        completions.push([course, user, completed, code, certificateAt])
      slice.earned.push({ user, kind: 'course_completed', dedupKey: `course_completed:course:${course}:user:${user}`, at: completed })
    } else if (isLast && one.certificate_at !== null && one.first_at !== null)
      completions.push([course, user, one.first_at, one.certificate_code, null])
  }
  await updateRows(
    slice.db,
    'enrolments',
    { id: 'bigint', done: 'bigint', progress: 'bigint', completed_at: 'text' },
    'completed_lessons = d.done, progress = d.progress, completed_at = d.completed_at',
    'enrolments.id = d.id',
    enrolments,
  )
  await saveCompletions(slice.db, completions)
}
