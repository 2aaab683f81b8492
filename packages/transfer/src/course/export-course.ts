import type { Infer, QuizQuestion } from '@lyceum/contract'
import type { CourseDraft, FileDraft, LessonDraft, QuestionDraft, QuizDraft } from '@lyceum/importers'
import { type Db, type LessonRow, type QuizRow, statement } from '../../../server/src/db/index.ts'
import { type CourseFor, loadCourse, sectionsOf } from '../../../server/src/modules/courses/index.ts'
import { keysIn } from '../../../server/src/modules/media/index.ts'
import { pick } from '../../../server/src/util/pick.ts'

const held = statement<{ key: string; file_name: string; path: string }>(
  `select key, file_name, path from media where status = 'active' and ((object_source = 'course' and object_id = $1)
   or (object_source = 'lesson' and object_id in (select id from lessons where course_id = $2))) order by id`,
)

/** `media/dough.png`, or `media/dough-2.png` if that name is taken. */
const freePath = (name: string, taken: Set<string>): string => {
  const dot = name.lastIndexOf('.')
  for (let n = 1; ; n++) {
    const path = `media/${n === 1 ? name : `${name.slice(0, dot)}-${n}${name.slice(dot)}`}`
    if (taken.has(path.toLowerCase())) continue
    taken.add(path.toLowerCase())
    return path
  }
}

/** Finds the files of a course that texts reference. Call it for each page in order, because file names are assigned in that order. */
export const createFinder = async (db: Db, courseId: number): Promise<(texts: readonly string[]) => FileDraft[]> => {
  const rows = new Map((await held(db, [courseId, courseId])).map((row) => [row.key, row]))
  const places = new Map<string, string>()
  const taken = new Set<string>()
  return (texts) =>
    keysIn(texts).flatMap((key) => {
      const row = rows.get(key)
      if (!row) return []
      const path = places.get(row.path) ?? freePath(row.file_name, taken)
      places.set(row.path, path)
      return [{ key, path, file: '', line: null }]
    })
}

type Finder = Awaited<ReturnType<typeof createFinder>>

const lessonsOf = statement<LessonRow>('select * from lessons where course_id = $1 order by position, id')

type QuizOf = Omit<QuizRow, 'version_id' | 'updated_at'> & { readonly questions: string | null }
const quizzesOf = statement<QuizOf>(
  `select q.lesson_id, q.passing_score, q.max_attempts, q.time_limit, q.show_correct_answers, q.randomize_questions, v.questions
   from lessons l join quizzes q on q.lesson_id = l.id left join quiz_versions v on v.id = q.version_id where l.course_id = $1`,
)

type StoredQuestion = Infer<typeof QuizQuestion>

const questionOf = ({ type, question, options, correct_answer, points, explanation }: StoredQuestion): QuestionDraft => {
  const right = options.find(({ is_correct }) => is_correct)
  const answers =
    type === 'true_false' ? [String(right?.id === 'true' || right?.text.toLowerCase() === 'true')] : (correct_answer?.split('\n') ?? [])
  const choices = type === 'true_false' ? [] : options.map(({ text, is_correct }) => ({ text, is_correct }))
  return { type, question, options: choices, answers, points, explanation, line: null }
}

const quizOf = (quiz: QuizOf | undefined): QuizDraft => {
  if (!quiz) return { settings: {}, questions: [] }
  return {
    settings: {
      ...pick(quiz, 'passing_score', 'max_attempts', 'time_limit'),
      show_correct_answers: quiz.show_correct_answers === 1,
      randomize_questions: quiz.randomize_questions === 1,
    },
    questions: quiz.questions ? (JSON.parse(quiz.questions) as StoredQuestion[]).map(questionOf) : [],
  }
}

const html = (text: string) => ({ text, format: 'html' as const })

const lessonOf = (lesson: LessonRow, quiz: QuizOf | undefined, files: Finder): LessonDraft => ({
  ...pick(lesson, 'title', 'slug', 'status', 'video_url', 'duration'),
  content: html(lesson.content),
  is_preview: lesson.is_preview === 1,
  resources: JSON.parse(lesson.resources) as LessonDraft['resources'],
  quiz: lesson.type === 'quiz' ? quizOf(quiz) : null,
  files: files([lesson.content, lesson.video_url, lesson.resources]),
  file: '',
})

const courseHead = (course: CourseFor, files: Finder): Omit<CourseDraft, 'sections'> => ({
  ...pick(course, 'title', 'slug', 'description', 'status', 'privacy', 'course_type', 'difficulty', 'duration'),
  ...pick(course, 'featured_image', 'logo', 'cover_photo'),
  content: html(course.content),
  category: course.category ?? '',
  price: Number(course.price),
  settings: JSON.parse(course.settings) as Record<string, unknown>,
  files: files([course.featured_image, course.logo, course.cover_photo, course.content]),
  file: '',
})

/** Loads a course by id or slug. */
export const loadDraft = async (db: Db, key: number | string): Promise<CourseDraft | undefined> => {
  const course = await loadCourse(db, key, 0)
  if (!course) return undefined
  const [sections, lessons, quizzes] = await Promise.all([
    sectionsOf(db, [course.id]),
    lessonsOf(db, [course.id]),
    quizzesOf(db, [course.id]),
  ])
  const files = await createFinder(db, course.id)
  const quiz = new Map(quizzes.map((each) => [each.lesson_id, each]))
  return {
    ...courseHead(course, files),
    sections: sections.map((section) => ({
      ...pick(section, 'title', 'slug', 'status', 'days_after', 'scheduled_at'),
      lessons: lessons.filter(({ section_id }) => section_id === section.id).map((lesson) => lessonOf(lesson, quiz.get(lesson.id), files)),
      file: '',
    })),
  }
}
