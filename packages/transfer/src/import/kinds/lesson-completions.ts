import { batchStatement } from '../../../../server/src/db/index.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import { withoutDuplicates } from './pairs.ts'
import { reconcileStudents } from './progress.ts'
import { notAfter } from './values.ts'

interface CompletionDecision extends Decision<'lesson_completions'> {
  readonly lesson: number
  readonly course: number
  readonly user: number
}

const present = batchStatement<{ lesson_id: number; user_id: number }>(
  { lesson_id: 'bigint', user_id: 'bigint' },
  (rows) =>
    `select k.lesson_id, k.user_id from ${rows} d cross join lesson_completions k where k.user_id = d.user_id and k.lesson_id = d.lesson_id`,
)

export const lessonCompletions: KindWriter<'lesson_completions', CompletionDecision> = {
  kind: 'lesson_completions',
  guarded: null,
  decide: async (run, items, settle) => {
    const lessons = await run.find(
      'lessons',
      items.map(({ record }) => record.lesson),
    )
    const people = await run.find(
      'people',
      items.map(({ record }) => record.person),
    )
    const all = items.flatMap((item) => {
      const lesson = lessons.get(item.record.lesson)
      const person = people.get(item.record.person)
      if (!lesson) settle(item, 'skipped', 'its lesson was not imported')
      else if (!person || person.status === 'deleted') settle(item, 'skipped', 'its member was not imported')
      else return [{ item, lesson: lesson.id, course: lesson.course_id, user: person.id, key: `${lesson.id} ${person.id}` }]
      return []
    })
    const rows = await present(
      run.services.database.read,
      all.map(({ lesson, user }) => [lesson, user]),
    )
    const known = new Set(rows.map(({ lesson_id, user_id }) => `${lesson_id} ${user_id}`))
    const kept = await withoutDuplicates(run, 'lesson_completions', all, known, settle)
    return kept.map((one) => ({ ...one, id: one.lesson, guarded: null }))
  },
  insert: async (run, slice, decided) => {
    const at = ({ item }: CompletionDecision) => notAfter(run.now, item.record.completed_at)
    await slice.add(
      'lesson_completions',
      ['user_id', 'lesson_id', 'course_id', 'completed_at'],
      decided.map((one) => [one.user, one.lesson, one.course, at(one)]),
    )
    for (const one of decided)
      slice.activities.push({ user: one.user, action: 'lesson_completed', on: ['lesson', one.lesson], space: null, at: at(one) })
    const students = new Map(decided.map(({ course, user }) => [`${course} ${user}`, [course, user] as const]))
    await reconcileStudents(run, slice, [...students.values()])
  },
}
