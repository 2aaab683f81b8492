import { FEEDBACK_BYTES, MAX_TIME_SPENT } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { batchStatement, type Value } from '../../../../server/src/db/index.ts'
import type { Question } from '../../../../server/src/modules/quizzes/definition.ts'
import { settingsOf } from '../../../../server/src/modules/quizzes/queries.ts'
import { scoreOf } from '../../../../server/src/modules/quizzes/scoring.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'
import { questionsOf, versionOf } from './quiz.ts'
import { cutBytes, flag, notAfter } from './values.ts'
import { setColumns } from './write-columns.ts'

type Attempt = ArchiveRecord<'quiz_attempts'>

interface AttemptDecision extends Decision<'quiz_attempts'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly lesson: number
  readonly course: number
  readonly user: number
  /** Null: the current questions of the quiz. */
  readonly questions: readonly Question[] | null
}

const COLUMNS = [
  ...['status', 'question_order', 'answers', 'grades', 'score', 'points_earned', 'points_possible', 'total_questions', 'correct_answers'],
  ...['passing_score', 'passed', 'late', 'time_spent', 'feedback', 'graded_by', 'started_at', 'submitted_at', 'graded_at'],
]

const standing = batchStatement<{ lesson_id: number; user_id: number; last: number; open: number }>(
  { lesson_id: 'bigint', user_id: 'bigint' },
  (rows) => `select a.lesson_id, a.user_id, max(a.attempt_number) as last, max(case when a.status = 'in_progress' then 1 else 0 end) as open
    from ${rows} d cross join quiz_attempts a where a.user_id = d.user_id and a.lesson_id = d.lesson_id group by a.lesson_id, a.user_id`,
)

const whole = (value: number | null | undefined): number => Math.max(0, Math.round(value ?? 0))
const text = (value: unknown, fallback: object): string => JSON.stringify(value !== null && typeof value === 'object' ? value : fallback)

/** Column values of an attempt. An open one has no result; a submitted one has a score and ordered times. */
const valuesOf = (run: Run, record: Attempt, grader: number | null): Value[] => {
  const isOpen = record.status === 'in_progress'
  const started = notAfter(run.now, record.started_at)
  const after = (at: string, earliest: string) => (at < earliest ? earliest : notAfter(run.now, at))
  const submitted = isOpen ? null : after(record.submitted_at ?? started, started)
  const graded = record.status === 'graded' && submitted ? after(record.graded_at ?? submitted, submitted) : null
  const [earned, possible] = [whole(record.points_earned), whole(record.points_possible)]
  const score = isOpen ? null : Math.min(100, whole(record.score ?? (possible > 0 ? scoreOf(earned, possible) : 0)))
  return [
    ...[record.status, text(record.question_order, []), text(record.answers, {}), text(record.grades, {}), score, earned, possible],
    ...[whole(record.total_questions), whole(record.correct_answers), whole(record.passing_score)],
    ...[flag(!isOpen && record.passed), flag(record.late), Math.min(MAX_TIME_SPENT, whole(record.time_spent))],
    ...[cutBytes(record.feedback ?? '', FEEDBACK_BYTES), graded ? grader : null, started, submitted, graded],
  ]
}

/** The question versions that attempts were started with. */
const versionsOf = async (run: Run, { db }: Slice, decided: readonly AttemptDecision[]): Promise<Map<AttemptDecision, number>> => {
  const current = new Map<number, number>()
  const versions = new Map<AttemptDecision, number>()
  for (const one of decided) {
    if (one.questions) versions.set(one, await versionOf(db, one.lesson, one.questions, run.now))
    else {
      const known =
        current.get(one.lesson) ?? (await settingsOf(db, [one.lesson]))?.version_id ?? (await versionOf(db, one.lesson, [], run.now))
      current.set(one.lesson, known)
      versions.set(one, known)
    }
  }
  return versions
}

const ROW = ['id', 'user_id', 'course_id', 'lesson_id', 'version_id', 'attempt_number', ...COLUMNS]

export const quizAttempts: KindWriter<'quiz_attempts', AttemptDecision> = {
  kind: 'quiz_attempts',
  guarded: { table: 'quiz_attempts', columns: COLUMNS },
  most: 1000,
  decide: async (run, items, settle) => {
    const lessons = await run.find(
      'lessons',
      items.map(({ record }) => record.lesson),
    )
    const people = await run.find(
      'people',
      items.flatMap(({ record }) => [record.person, record.graded_by]),
    )
    const all = items.flatMap((item) => {
      const lesson = lessons.get(item.record.lesson)
      const person = people.get(item.record.person)
      if (!lesson) settle(item, 'skipped', 'its lesson was not imported')
      else if (lesson.type !== 'quiz') settle(item, 'skipped', 'its lesson is not a quiz')
      else if (!person || person.status === 'deleted') settle(item, 'skipped', 'its member was not imported')
      else return [{ item, lesson: lesson.id, course: lesson.course_id, user: person.id }]
      return []
    })
    const ids = await run.ids.take('quiz_attempts', all.length)
    return all.map((one, i) => {
      const { record, notes, known } = one.item
      const grader = people.get(record.graded_by ?? '')?.id ?? null
      const questions = record.questions ? questionsOf(record.questions, notes) : null
      return { ...one, id: known?.local_id ?? (ids[i] as number), guarded: valuesOf(run, record, grader), questions }
    })
  },
  insert: async (run, slice, decided) => {
    const versions = await versionsOf(run, slice, decided)
    const rows = await standing(
      slice.db,
      decided.map(({ lesson, user }) => [lesson, user]),
    )
    const keyOf = ({ lesson, user }: Pick<AttemptDecision, 'lesson' | 'user'>) => `${lesson} ${user}`
    const states = new Map(
      rows.map((row) => [keyOf({ lesson: row.lesson_id, user: row.user_id }), { last: row.last, open: row.open === 1 }]),
    )
    const values: Value[][] = []
    // Attempts are numbered from 1 without gaps, and at most one is open.
    for (const one of decided.toSorted((a, b) => a.item.record.attempt_number - b.item.record.attempt_number || a.id - b.id)) {
      const state = states.get(keyOf(one)) ?? { last: 0, open: false }
      const isOpen = one.item.record.status === 'in_progress'
      if (isOpen && state.open) {
        one.item.notes.push('it was dropped: the member has another open attempt')
        continue
      }
      states.set(keyOf(one), { last: state.last + 1, open: state.open || isOpen })
      values.push([one.id, one.user, one.course, one.lesson, versions.get(one) ?? 0, state.last + 1, ...one.guarded])
    }
    await slice.add('quiz_attempts', ROW, values)
  },
  update: async (_run, { db }, decided) => {
    for (const { id, guarded } of decided) await setColumns(db, 'quiz_attempts', COLUMNS, id, guarded)
  },
}
