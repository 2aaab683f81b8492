import { parseTimestamp } from '../../../../server/src/core/clock.ts'
import { batchStatement, type Value } from '../../../../server/src/db/index.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'
import { withoutDuplicates } from './pairs.ts'
import { reconcileStudents, type Student } from './progress.ts'
import { notAfter } from './values.ts'
import { setColumns } from './write-columns.ts'

interface EnrolmentDecision extends Decision<'enrolments'> {
  readonly guarded: readonly Value[] | null
  readonly course: number
  readonly user: number
  readonly addedBy: number | null
}

const COLUMNS = ['last_accessed_at', 'last_lesson_id']

const present = batchStatement<{ course_id: number; user_id: number }>(
  { course_id: 'bigint', user_id: 'bigint' },
  (rows) =>
    `select e.course_id, e.user_id from ${rows} d cross join enrolments e where e.course_id = d.course_id and e.user_id = d.user_id`,
)
const insertCompletions = batchStatement(
  { course_id: 'bigint', user_id: 'bigint', completed_at: 'text', code: 'text', certificate_at: 'text' },
  (rows) => `insert into course_completions (course_id, user_id, completed_at, certificate_code, certificate_at)
    select d.course_id, d.user_id, d.completed_at, case when exists (select 1 from course_completions o where o.certificate_code = d.code) then null else d.code end,
      case when exists (select 1 from course_completions o where o.certificate_code = d.code) then null else d.certificate_at end
    from ${rows} d where 1 = 1 on conflict (course_id, user_id) do nothing`,
)

const CODE = /^[0-9a-f]{32}$/

/** Stores completions that the source contains. Others are derived from completed lessons. */
const saveCompletions = async (run: Run, { db }: Slice, decided: readonly EnrolmentDecision[]) => {
  await insertCompletions(
    db,
    decided.flatMap(({ course, user, item: { record } }) => {
      if (!record.completed_at) return []
      const completed = notAfter(run.now, record.completed_at)
      const code = CODE.test(record.certificate_code ?? '') ? (record.certificate_code as string) : null
      const at = code && record.certificate_at ? notAfter(run.now, record.certificate_at) : null
      return [[course, user, completed, code, at !== null && at < completed ? completed : at]]
    }),
  )
}

const studentsOf = (decided: readonly EnrolmentDecision[]): Student[] => decided.map(({ course, user }) => [course, user])

export const enrolments: KindWriter<'enrolments', EnrolmentDecision> = {
  kind: 'enrolments',
  guarded: { table: 'enrolments', columns: COLUMNS },
  decide: async (run, items, settle) => {
    const courses = await run.find(
      'courses',
      items.map(({ record }) => record.course),
    )
    const people = await run.find(
      'people',
      items.flatMap(({ record }) => [record.person, record.added_by]),
    )
    const lessons = await run.find(
      'lessons',
      items.map(({ record }) => record.last_lesson),
    )
    const all = items.flatMap((item) => {
      const course = courses.get(item.record.course)
      const person = people.get(item.record.person)
      if (!course) settle(item, 'skipped', 'its course was not imported')
      else if (!person || person.status === 'deleted') settle(item, 'skipped', 'its member was not imported')
      else return [{ item, course: course.id, user: person.id, key: `${course.id} ${person.id}` }]
      return []
    })
    const rows = await present(
      run.services.database.read,
      all.map(({ course, user }) => [course, user]),
    )
    const known = new Set(rows.map(({ course_id, user_id }) => `${course_id} ${user_id}`))
    const kept = await withoutDuplicates(run, 'enrolments', all, known, settle)
    const ids = await run.ids.take('enrolments', kept.length)
    return kept.map(({ item, course, user }, i) => {
      const { record } = item
      const accessed = record.last_accessed_at ? notAfter(run.now, record.last_accessed_at) : null
      const lesson = lessons.get(record.last_lesson ?? '')?.id ?? null
      return {
        ...{ item, course, user, addedBy: people.get(record.added_by ?? '')?.id ?? null },
        id: record.ended ? null : (item.known?.local_id ?? (ids[i] as number)),
        guarded: record.ended ? null : [accessed, lesson],
      }
    })
  },
  insert: async (run, slice, decided) => {
    await saveCompletions(run, slice, decided)
    const present = decided.filter(({ id }) => id !== null)
    await slice.add(
      'enrolments',
      ['id', 'course_id', 'user_id', 'enrolled_at', 'enrolled_epoch', 'added_by', ...COLUMNS],
      present.map(({ id, course, user, addedBy, guarded, item: { record } }) => {
        const at = notAfter(run.now, record.enrolled_at)
        return [id, course, user, at, Math.floor(parseTimestamp(at).getTime() / 1000), addedBy, ...(guarded ?? [])]
      }),
    )
    for (const { course, user, item } of present) {
      slice.counters.add('courses.students_count', course)
      const at = notAfter(run.now, item.record.enrolled_at)
      slice.activities.push({ user, action: 'course_enrolled', on: ['course', course], space: null, at })
    }
    await reconcileStudents(run, slice, studentsOf(present))
  },
  update: async (run, slice, decided) => {
    for (const { id, guarded } of decided)
      if (id !== null && guarded !== null) await setColumns(slice.db, 'enrolments', COLUMNS, id, guarded)
    await saveCompletions(run, slice, decided)
    await reconcileStudents(run, slice, studentsOf(decided))
  },
}
