import { type CourseDraft, createReport, readCourse } from '@lyceum/importers'
import type { Services, WriteRequest } from '../../server/src/core/context.ts'
import type { Db } from '../../server/src/db/index.ts'
import { addStudent, completeLesson } from '../../server/src/modules/courses/index.ts'
import { shownQuiz, submitAttempt } from '../../server/src/modules/quizzes/index.ts'
import type { NewActivity } from '../../transfer/src/bulk/activities.ts'
import { quietWrite } from '../../transfer/src/bulk/quiet-write.ts'
import { storeCourse } from '../../transfer/src/course/import-course.ts'
import evening from '../data/courses/evening.json' with { type: 'json' }
import kitchen from '../data/courses/kitchen.json' with { type: 'json' }
import work from '../data/courses/work.json' with { type: 'json' }
import { createRandom, mix, seedFrom } from './random.ts'
import { moment } from './write/moments.ts'

/** Courses in the layout that `lyceum course import` reads: texts by path. */
const CATALOGUE = [...kitchen, ...work, ...evening] as unknown as readonly Readonly<Record<string, string>>[]
/** Suffixes of repeated courses. */
const SERIES = ['Spring', 'Summer', 'Autumn', 'Winter', 'Weekend', 'Evening', 'Intensive', 'Refresher']
/** One of this many repeated courses is a draft or archived. */
const UNSEEN = { draft: 17, archived: 13 }
const MOST_STUDENTS = 40
const DAY = 86_400

type Random = ReturnType<typeof createRandom>

export interface CourseOptions {
  readonly services: Services
  /** How many courses. */
  readonly count: number
  /** Ids of the members who may teach or enrol. */
  readonly members: readonly number[]
  readonly seed: number | string
  /** The current time in Unix seconds. */
  readonly now: number
  /** Records the activities of a student in the transaction that caused them. */
  readonly record: (db: Db, told: readonly NewActivity[]) => Promise<void>
  /** Called after each course and each student; throws to stop. */
  readonly onWritten: (what: 'courses' | 'students') => Promise<void>
}

const inThePast = (services: Services, db: Db, seconds: number, userId: number, told: NewActivity[] = []): WriteRequest =>
  quietWrite(services, db, { now: moment(seconds), userId, told })

const asStudent = (ctx: WriteRequest): WriteRequest => ({ ...ctx, actor: { ...ctx.actor, role: 'member', permissions: new Set() } })

interface Lesson {
  readonly id: number
  readonly type: 'lesson' | 'quiz'
}

/** Answers of a student with the given knowledge (0 to 1). */
const answersOf = async (ctx: WriteRequest, lessonId: number, knowledge: number, random: Random) => {
  const quiz = await shownQuiz(ctx, lessonId, true)
  return Object.fromEntries(
    (quiz?.questions ?? []).map(({ id, type, options, correct_answer }) => {
      const knows = random.float() < knowledge
      if (type === 'short_answer')
        return [id, knows ? (correct_answer?.split('\n')[0] ?? 'I tried it twice, and the second time was better.') : 'I am not sure']
      const right = options.filter(({ is_correct }) => is_correct).map((option) => option.id)
      const given = knows ? right : [options[random.int(0, options.length - 1)]?.id ?? '']
      return [id, type === 'multiple_select' ? given : (given[0] ?? '')]
    }),
  )
}

/** Completes a part of a course over time. */
const study = async (
  at: (seconds: number) => WriteRequest,
  courseId: number,
  userId: number,
  lessons: readonly Lesson[],
  from: number,
  until: number,
  random: Random,
) => {
  const share = random.float()
  const wanted = share > 0.6 ? lessons.length : Math.floor(lessons.length * share * 1.5)
  let clock = from
  for (const lesson of lessons.slice(0, wanted)) {
    clock += random.int(600, 2 * DAY)
    if (clock >= until) return
    const ctx = at(clock)
    const path = { course_id: courseId, lesson_id: lesson.id }
    if (lesson.type === 'lesson') await completeLesson(ctx, { lessonId: lesson.id, courseId, userId })
    else {
      const { attempt } = await submitAttempt(ctx, path, {
        answers: await answersOf(ctx, lesson.id, 0.5 + share / 2, random),
        time_spent: random.int(40, 900),
      })
      if (!attempt.passed) return
    }
  }
}

/** The course with this index: the catalogue first, then repetitions with other titles. */
const draftOf = (index: number): CourseDraft => {
  const files = CATALOGUE[index % CATALOGUE.length] as (typeof CATALOGUE)[number]
  const report = createReport()
  const draft = readCourse(
    new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
    { name: 'course', media: '' },
    report,
  )
  if (report.errors.length > 0) throw new Error(`a course of the demo cannot be read: ${JSON.stringify(report.errors)}`)
  const round = Math.floor(index / CATALOGUE.length)
  if (round === 0) return { ...draft, status: 'published' }
  const status = index % UNSEEN.draft === 0 ? 'draft' : index % UNSEEN.archived === 0 ? 'archived' : 'published'
  const time = Math.floor((round - 1) / SERIES.length) + 1
  const series = `${SERIES[(round - 1) % SERIES.length]}${time > 1 ? ` ${time}` : ''}`
  return { ...draft, title: `${draft.title} · ${series}`, slug: `${draft.slug}-${series.toLowerCase().replace(' ', '-')}`, status }
}

/** Creates courses with students, completions and attempts. */
export const writeCourses = async ({ services, count, members, seed, now, record, onWritten }: CourseOptions): Promise<void> => {
  const { database } = services
  const random = createRandom(mix(seedFrom(seed), 0xc0075e))
  if (members.length < 3) return
  for (let index = 0; index < count; index++) {
    const draft = draftOf(index)
    const begun = now - (300 - (index % 7) * 40) * DAY
    const teacher = members[random.int(0, members.length - 1)] as number
    const course = await database.write((db) =>
      storeCourse(inThePast(services, db, begun, teacher), { ...draft, status: draft.status === 'draft' ? 'draft' : 'published' }),
    )
    await onWritten('courses')
    if (draft.status === 'draft') continue
    const lessons: Lesson[] = await database.read
      .selectFrom('lessons')
      .select(['id', 'type'])
      .where('course_id', '=', course.id)
      .orderBy('position')
      .execute()
    const wanted = Math.min(MOST_STUDENTS, Math.ceil(members.length / 4)) - random.int(0, Math.min(8, Math.floor(members.length / 8)))
    const students = new Set<number>()
    for (let tries = 0; students.size < wanted && tries < 4 * wanted; tries++) {
      const student = members[random.int(0, members.length - 1)] as number
      if (student !== teacher) students.add(student)
    }
    for (const student of students) {
      const enrolled = begun + DAY + random.int(0, Math.max(1, now - begun - 2 * DAY))
      const state = mix(random.int(0, 0x7fffffff), student % 7)
      await database.write(async (db) => {
        // A transaction may be retried: each attempt starts with the same random state.
        const luck = createRandom(state)
        const told: NewActivity[] = []
        const at = (seconds: number) => asStudent(inThePast(services, db, seconds, student, told))
        await addStudent(inThePast(services, db, enrolled, student, told), course.id, student)
        await study(at, course.id, student, lessons, enrolled, now, luck)
        await record(db, told)
      })
      await onWritten('students')
    }
    if (draft.status === 'archived')
      await database.write((db) => db.updateTable('courses').set({ status: 'archived' }).where('id', '=', course.id).execute())
  }
}
