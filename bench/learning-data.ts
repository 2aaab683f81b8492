import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, insertRows, openDatabase, runText, type Value } from '../packages/server/src/db/index.ts'
import type { People } from './data.ts'
import { lyceum, type Place } from './server.ts'

interface Size {
  readonly lessons: number
  readonly sections: number
  readonly students: number
}

const LARGE: Size = { lessons: 500, sections: 20, students: 10_000 }
const SMALL: Size = { lessons: 10, sections: 2, students: 20 }

/** A course for the scenarios. */
export interface CourseSubject {
  readonly id: number
  /** Ids of its lessons in their order. */
  readonly lessons: readonly number[]
  /** The lesson of its first quiz, and a text lesson in the middle. */
  readonly quiz: number
  readonly page: number
}

export interface School {
  readonly large: CourseSubject
  readonly small: CourseSubject
}

const QUESTIONS = 10
const TEXT =
  'This page tells of one thing and shows it twice. Read it, try it out, and write down what surprised you. '.repeat(3) +
  '\n\n- First, look.\n- Then, **do**.\n- At last, say it in your own words.\n\n'

const quizPage = (n: number) =>
  `---\ntitle: Quiz ${n}\nquiz:\n  questions:\n${Array.from(
    { length: QUESTIONS },
    (_, q) =>
      `    - question: Question ${q + 1} of quiz ${n}?\n      options: [{text: Right, correct: true}, {text: Wrong}, {text: Neither}]\n`,
  ).join('')}---\n`

/** Writes a course as a folder: the last lesson of each section is a quiz. */
const writeCourse = async (folder: string, title: string, { lessons, sections }: Size) => {
  await writeFile(join(folder, 'course.md'), `# ${title}\n`)
  const each = lessons / sections
  for (let s = 1; s <= sections; s++) {
    const section = join(folder, `${s}-section`)
    await mkdir(section)
    for (let n = 1; n < each; n++) await writeFile(join(section, `${n}-lesson.md`), `# Lesson ${s}.${n}\n\n${TEXT.repeat(4)}`)
    await writeFile(join(section, `${each}-quiz.md`), quizPage(s))
  }
}

const importCourse = async (place: Place, title: string, size: Size, owner: string): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-bench-course-'))
  try {
    await writeCourse(folder, title, size)
    const said = await lyceum(place, 'course', 'import', folder, '--status', 'published', '--owner', owner, '--json')
    return (JSON.parse(said) as { id: number }).id
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Lesson {
  readonly id: number
  readonly type: 'lesson' | 'quiz'
  readonly version_id: number | null
  readonly questions: string | null
}

const BEGINNING = Date.UTC(2025, 0, 1)
/** The time this many minutes after the start. */
const at = (minutes: number) => new Date(BEGINNING + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')

/** Completed lessons of the i-th student: one in a hundred completed all, the others up to seventy-five, or up to all in a small course. */
const doneBy = (i: number, lessons: number) => (i % 100 === 99 ? lessons : (i * 37) % Math.min(lessons + 1, 76))

const ENROLMENT = ['course_id', 'user_id', 'enrolled_at', 'enrolled_epoch', 'completed_lessons', 'progress', 'completed_at']
const COMPLETION = ['user_id', 'lesson_id', 'course_id', 'completed_at']
const DONE = ['course_id', 'user_id', 'completed_at', 'certificate_code', 'certificate_at']
const ATTEMPT = [
  ...['user_id', 'course_id', 'lesson_id', 'version_id', 'attempt_number', 'status', 'question_order', 'answers', 'score', 'points_earned'],
  ...[
    'points_possible',
    'total_questions',
    'correct_answers',
    'passed',
    'passing_score',
    'time_spent',
    'started_at',
    'submitted_at',
    'graded_at',
  ],
]

/** The rows of the i-th student: completed lessons in order, with a failed attempt before some of the passed ones. */
const rowsOf = (i: number, user: number, course: number, lessons: readonly Lesson[]) => {
  const begun = (i * 7) % 200_000
  const done = doneBy(i, lessons.length)
  const attempts: Value[][] = []
  const completions = lessons.slice(0, done).map(({ id, type, version_id, questions }, n): Value[] => {
    const when = begun + 10 * (n + 1)
    if (type === 'quiz' && questions) {
      const keys = (JSON.parse(questions) as { id: string; options: { id: string; is_correct: boolean }[] }[]).map((question) => question)
      const attempt = (number: number, right: number, minutes: number) => {
        const answers = keys.map(({ id: key, options }, q) => [key, options.find(({ is_correct }) => is_correct === q < right)?.id ?? ''])
        const score = right * (100 / QUESTIONS)
        const fixed = [JSON.stringify(keys.map((key) => key.id)), JSON.stringify(Object.fromEntries(answers)), score, right, QUESTIONS]
        const times = [at(minutes - 5), at(minutes), at(minutes)]
        attempts.push([
          ...[user, course, id, version_id, number, 'graded', ...fixed],
          ...[QUESTIONS, right, right >= 7 ? 1 : 0, 70, 60 + ((i * 13) % 240), ...times],
        ])
      }
      const fails = (i + n) % 3 === 0
      if (fails) attempt(1, i % 7, when - 6)
      attempt(fails ? 2 : 1, 7 + (i % 4), when)
    }
    return [user, id, course, at(when)]
  })
  const isComplete = done === lessons.length
  const finished = isComplete ? at(begun + 10 * done) : null
  const code = `${course.toString(16).padStart(8, '0')}${user.toString(16).padStart(24, '0')}`
  return {
    enrolment: [course, user, at(begun), (BEGINNING + begun * 60_000) / 1000, done, Math.floor((done * 100) / lessons.length), finished],
    completions,
    attempts,
    completed: isComplete ? [[course, user, finished, code, finished]] : [],
  }
}

const AT_ONCE = 500

const enrolStudents = async (place: Place, course: number, students: readonly number[]): Promise<CourseSubject> => {
  const database = openDatabase({ url: place.databaseUrl, dataDir: place.dataDir, poolSize: 2 })
  try {
    const lessons = await runText<Lesson>(
      database.read,
      `select l.id, l.type, q.version_id, v.questions from lessons l left join quizzes q on q.lesson_id = l.id
       left join quiz_versions v on v.id = q.version_id where l.course_id = $1 order by l.position`,
      [course],
    )
    for (let from = 0; from < students.length; from += AT_ONCE) {
      const rows = students.slice(from, from + AT_ONCE).map((user, i) => rowsOf(from + i, user, course, lessons))
      await database.write(async (db: Db) => {
        await insertRows(
          db,
          'enrolments',
          ENROLMENT,
          rows.map(({ enrolment }) => enrolment),
        )
        await insertRows(
          db,
          'lesson_completions',
          COMPLETION,
          rows.flatMap(({ completions }) => completions),
        )
        await insertRows(
          db,
          'quiz_attempts',
          ATTEMPT,
          rows.flatMap(({ attempts }) => attempts),
        )
        await insertRows(
          db,
          'course_completions',
          DONE,
          rows.flatMap(({ completed }) => completed),
        )
      })
    }
    await database.write((db) =>
      runText(db, 'update courses set students_count = (select count(*) from enrolments where course_id = $1) where id = $2', [
        course,
        course,
      ]),
    )
    const ids = lessons.map(({ id }) => id)
    const quiz = lessons.find(({ type }) => type === 'quiz')?.id ?? 0
    return { id: course, lessons: ids, quiz, page: ids[Math.floor(ids.length / 2)] ?? 0 }
  } finally {
    await database.close()
  }
}

const usersIn = async (place: Place): Promise<number[]> => {
  const database = openDatabase({ url: place.databaseUrl, dataDir: place.dataDir, poolSize: 2 })
  try {
    return (await runText<{ id: number }>(database.read, 'select id from users order by id', [])).map(({ id }) => id)
  } finally {
    await database.close()
  }
}

const RECORD = 'bench-school.json'

/**
 * A course of 500 lessons with 10,000 students, and a small course. Lessons are imported with the command line; completions are inserted
 * as rows, because a million requests would take an hour.
 */
export const fillSchool = async (place: Place, { admin, members }: People): Promise<School> => {
  const file = join(place.dataDir, RECORD)
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as School
  const known = (await usersIn(place)).length
  // The administrator is not a student.
  const missing = LARGE.students + 1 - known
  const sizes = { members: Math.max(1, missing), spaces: 1, posts: 1, comments: 1, reactions: 1, seed: 2 }
  if (missing > 0) await lyceum(place, 'demo', ...Object.entries(sizes).flatMap(([name, value]) => [`--${name}`, String(value)]))
  const first = members.map(({ id }) => id)
  const others = (await usersIn(place)).filter((id) => id !== admin.id && !first.includes(id))
  const students = [...first, ...others]
  const make = async (title: string, size: Size) =>
    enrolStudents(place, await importCourse(place, title, size, admin.username), students.slice(0, size.students))
  const school = { large: await make('A large course', LARGE), small: await make('A small course', SMALL) }
  await writeFile(file, JSON.stringify(school))
  return school
}
