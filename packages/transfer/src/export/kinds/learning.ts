import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type EnrolmentRow, type QuizAttemptRow, runText, statementIn, type Tables } from '../../../../server/src/db/index.ts'
import { type ExportContext, type KindReader, listing, PAGE } from '../context.ts'
import { filled, parsed } from '../filled.ts'

type Enrolment = ArchiveRecord<'enrolments'>
type Completion = Pick<Tables['course_completions'], 'certificate_code' | 'certificate_at'>

const COMPLETION = 'd.certificate_code, d.certificate_at'

const certificateOf = ({ certificate_code, certificate_at }: Completion) => filled({ certificate_code, certificate_at })

const enrolled = listing<EnrolmentRow & Completion & { readonly first_completed_at: string | null }, 'enrolments'>({
  columns: `e.*, d.completed_at as first_completed_at, ${COMPLETION}`,
  from: 'enrolments e left join course_completions d on d.course_id = e.course_id and d.user_id = e.user_id where 1 = 1',
  key: 'e.id',
  inSpace: null,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({
      courses: rows.map(({ course_id }) => course_id),
      people: rows.flatMap(({ user_id, added_by }) => [user_id, added_by]),
      lessons: rows.map(({ last_lesson_id }) => last_lesson_id),
    })
    return rows.map((row): Enrolment => {
      const [course, person] = [ids.of('courses', row.course_id), ids.of('people', row.user_id)]
      return {
        id: `${course}/${person}`,
        course,
        person,
        enrolled_at: row.enrolled_at,
        ...filled({ added_by: ids.ifAny('people', row.added_by), last_lesson: ids.ifAny('lessons', row.last_lesson_id) }),
        ...filled({ last_accessed_at: row.last_accessed_at, completed_at: row.first_completed_at ?? row.completed_at }),
        ...certificateOf(row),
      }
    })
  },
})

type Ended = Tables['course_completions']

const ENDED = `course_completions d where not exists
  (select 1 from enrolments e where e.course_id = d.course_id and e.user_id = d.user_id)`

/** Completions of members who are no longer enrolled. */
async function* endedPages(ctx: ExportContext): AsyncGenerator<Enrolment[]> {
  const text = `select d.* from ${ENDED} and (d.course_id, d.user_id) > ($1, $2) order by d.course_id, d.user_id limit ${PAGE}`
  for (let after: readonly [number, number] = [0, 0]; ; ) {
    const rows = await runText<Ended>(ctx.db, text, after)
    const ids = await ctx.ids({ courses: rows.map(({ course_id }) => course_id), people: rows.map(({ user_id }) => user_id) })
    yield rows.map((row) => {
      const [course, person] = [ids.of('courses', row.course_id), ids.of('people', row.user_id)]
      const { completed_at } = row
      return { id: `${course}/${person}`, course, person, enrolled_at: completed_at, ended: true, completed_at, ...certificateOf(row) }
    })
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = [last.course_id, last.user_id]
  }
}

export const enrolments: KindReader<'enrolments'> = {
  count: async (ctx) => {
    if (ctx.spaceId !== null) return 0
    const [row] = await runText<{ n: number | string }>(ctx.db, `select count(*) as n from ${ENDED}`, [])
    return (await enrolled.count(ctx)) + Number(row?.n ?? 0)
  },
  pages: async function* (ctx) {
    if (ctx.spaceId !== null) return
    yield* enrolled.pages(ctx)
    yield* endedPages(ctx)
  },
}

export const lessonCompletions: KindReader<'lesson_completions'> = {
  count: async ({ db, spaceId }) => {
    if (spaceId !== null) return 0
    const [row] = await runText<{ n: number | string }>(db, 'select count(*) as n from lesson_completions', [])
    return Number(row?.n ?? 0)
  },
  pages: async function* (ctx) {
    if (ctx.spaceId !== null) return
    const text = `select user_id, lesson_id, completed_at from lesson_completions where (user_id, lesson_id) > ($1, $2)
      order by user_id, lesson_id limit ${PAGE}`
    for (let after: readonly [number, number] = [0, 0]; ; ) {
      const rows = await runText<Tables['lesson_completions']>(ctx.db, text, after)
      const ids = await ctx.ids({ lessons: rows.map(({ lesson_id }) => lesson_id), people: rows.map(({ user_id }) => user_id) })
      yield rows.map(({ lesson_id, user_id, completed_at }) => {
        const [lesson, person] = [ids.of('lessons', lesson_id), ids.of('people', user_id)]
        return { id: `${lesson}/${person}`, lesson, person, completed_at }
      })
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = [last.user_id, last.lesson_id]
    }
  },
}

type Attempt = ArchiveRecord<'quiz_attempts'>

const versions = statementIn<{ id: number; questions: string; current: string | null }>(
  (list) => `select v.id, v.questions, w.questions as current from quiz_versions v left join quizzes q on q.lesson_id = v.lesson_id
    left join quiz_versions w on w.id = q.version_id where v.id in (${list})`,
)

/** Questions of quiz versions other than the current one. */
const formerQuestions = async ({ db }: ExportContext, rows: readonly QuizAttemptRow[]): Promise<Map<number, Record<string, unknown>[]>> => {
  const found = await versions(db, [...new Set(rows.map(({ version_id }) => version_id))])
  return new Map(found.filter(({ questions, current }) => questions !== current).map(({ id, questions }) => [id, parsed(questions)]))
}

export const quizAttempts = listing<QuizAttemptRow, 'quiz_attempts'>({
  columns: 'a.*',
  from: 'quiz_attempts a where 1 = 1',
  key: 'a.id',
  inSpace: null,
  view: async (ctx, rows) => {
    const former = await formerQuestions(ctx, rows)
    const ids = await ctx.ids({
      lessons: rows.map(({ lesson_id }) => lesson_id),
      people: rows.flatMap(({ user_id, graded_by }) => [user_id, graded_by]),
    })
    return rows.map((row): Attempt => {
      const [lesson, person] = [ids.of('lessons', row.lesson_id), ids.of('people', row.user_id)]
      return {
        id: `${lesson}/${person}/${row.attempt_number}`,
        lesson,
        person,
        attempt_number: row.attempt_number,
        status: row.status,
        ...filled({ questions: former.get(row.version_id), question_order: parsed<string[]>(row.question_order) }),
        ...filled({ answers: parsed(row.answers), grades: parsed(row.grades) }),
        score: row.score,
        points_earned: row.points_earned,
        points_possible: row.points_possible,
        total_questions: row.total_questions,
        correct_answers: row.correct_answers,
        passing_score: row.passing_score,
        ...filled({ passed: row.passed === 1, late: row.late === 1 }),
        time_spent: row.time_spent,
        ...filled({ feedback: row.feedback, graded_by: ids.ifAny('people', row.graded_by), graded_at: row.graded_at }),
        started_at: row.started_at,
        ...filled({ submitted_at: row.submitted_at }),
      }
    })
  },
})
