import { checkLesson } from './check.ts'
import { readCoursePage, readSectionPage } from './course-page.ts'
import type { CourseDraft, LessonDraft, SectionDraft } from './draft.ts'
import { readLessonPage } from './lesson-page.ts'
import { byNumber, titleFromName } from './names.ts'
import { isGift, isQti, readQuizFile } from './quiz-file.ts'
import type { Report } from './report.ts'
import type { Tree } from './tree.ts'

const COURSE_PAGE = /^course\.(?:md|ya?ml|json)$/i
const SECTION_PAGE = /^section\.(?:md|ya?ml|json)$/i
const ABOUT = /^(?:readme|licen[cs]e|copying|imsmanifest)(?:\.\w+)?$/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

const textOf = (tree: Tree, path: string, report: Report): string | null => {
  try {
    const text = utf8.decode(tree.get(path))
    const zero = text.indexOf('\0')
    if (zero < 0) return text
    report.error(path, text.slice(0, zero).split('\n').length, 'it is no text')
  } catch {
    report.error(path, null, 'it is not encoded in UTF-8')
  }
  return null
}

const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const blank = (file: string): Omit<LessonDraft, 'title' | 'content' | 'quiz'> => ({
  slug: '',
  status: 'published',
  video_url: '',
  duration: '',
  is_preview: false,
  resources: [],
  file,
})

/** A page whose quiz takes its questions out of another file. */
const joined = (tree: Tree, { lesson, questionsIn }: ReturnType<typeof readLessonPage>, report: Report): LessonDraft => {
  if (!questionsIn || !lesson.quiz) return lesson
  const path = [folderOf(lesson.file), questionsIn.name].filter(Boolean).join('/')
  if (!tree.has(path) || !(isGift(path) || isQti(path))) {
    report.error(lesson.file, questionsIn.line, `there is no file ${questionsIn.name} beside it with questions (.gift or .xml)`)
    return lesson
  }
  const source = textOf(tree, path, report)
  if (source === null) return lesson
  const quizzes = readQuizFile(path, source, report)
  const intro = quizzes.map((quiz) => quiz.intro).filter(Boolean)
  return {
    ...lesson,
    content: { ...lesson.content, text: [lesson.content.text, ...intro].filter(Boolean).join('\n\n') },
    quiz: {
      settings: lesson.quiz.settings,
      questions: [
        ...lesson.quiz.questions,
        ...quizzes.flatMap(({ questions }) => questions.map((question) => ({ ...question, file: path }))),
      ],
    },
  }
}

const lessonsOf = (tree: Tree, paths: readonly string[], report: Report): LessonDraft[] => {
  const pages = paths.map((path) => {
    if (!/\.md$/i.test(path)) return null
    const source = textOf(tree, path, report)
    return source === null ? null : readLessonPage(path, source, report)
  })
  const taken = new Set(
    pages.flatMap((page) => (page?.questionsIn ? [[folderOf(page.lesson.file), page.questionsIn.name].filter(Boolean).join('/')] : [])),
  )
  return paths.flatMap((path, index): LessonDraft[] => {
    const page = pages[index]
    if (page) {
      const lesson = joined(tree, page, report)
      if (lesson.quiz && lesson.quiz.questions.length === 0 && !report.errors.some(({ file }) => file === path || taken.has(file)))
        report.error(path, null, 'a quiz without questions')
      return [lesson]
    }
    if (taken.has(path) || !(isGift(path) || isQti(path))) return []
    const source = textOf(tree, path, report)
    if (source === null) return []
    return readQuizFile(path, source, report).map(({ title, intro, settings, questions }) => ({
      ...blank(path),
      title,
      content: { text: intro, format: 'markdown' },
      quiz: { settings, questions },
    }))
  })
}

/** Whether a file holds a lesson; what is nothing of a course is named. */
const isLesson = (path: string, report: Report): boolean => {
  const name = nameOf(path)
  if (COURSE_PAGE.test(name) || SECTION_PAGE.test(name)) return false
  if (ABOUT.test(name)) {
    report.note(path, null, 'it is left out: it is about the files, not a lesson')
    return false
  }
  if (/\.md$/i.test(name) || isGift(name) || isQti(name)) return true
  report.note(
    path,
    null,
    'it is left out: only lessons (.md) and quizzes (.gift, .xml) can be moved in; give images and documents by their address',
  )
  return false
}

const sectionOf = (tree: Tree, folder: string, paths: readonly string[], report: Report, title: string): SectionDraft => {
  const own = paths.filter((path) => SECTION_PAGE.test(nameOf(path)))
  const [page] = own
  if (own[1]) report.error(own[1], null, `the folder has ${page && nameOf(page)} already`)
  const source = page ? textOf(tree, page, report) : null
  const head = readSectionPage(page ?? folder, source ?? '', report, title)
  const lessons = lessonsOf(
    tree,
    paths.filter((path) => isLesson(path, report)).sort((a, b) => byNumber(nameOf(a), nameOf(b))),
    report,
  )
  return { ...head, lessons }
}

/** Makes a course of the files of a folder. `name` is what it is called where it does not say. All that is wrong is in the report. */
export const readCourse = (tree: Tree, name: string, report: Report): CourseDraft => {
  const paths = [...tree.keys()]
  const [page, second] = paths.filter((path) => COURSE_PAGE.test(path))
  if (second) report.error(second, null, `there is ${page} already`)
  const source = page ? textOf(tree, page, report) : null
  const course = readCoursePage(page ?? 'course.md', source ?? '', report, titleFromName(name))
  if (!page && paths.length > 1) report.note('course.md', null, `there is none: the course is called ${course.title}`)

  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const folder = folderOf(path)
    if (folder.includes('/')) {
      const [top] = folder.split('/', 1)
      if (/\.md$/i.test(path) || isGift(path))
        report.error(path, null, `it lies too deep: lessons lie in the folder of their section (${top}/)`)
      else report.note(path, null, 'it is left out: only lessons (.md) and quizzes (.gift, .xml) can be moved in')
    } else folders.set(folder, [...(folders.get(folder) ?? []), path])
  }
  const loose = folders.get('') ?? []
  folders.delete('')
  const first = sectionOf(tree, '', loose, report, course.title)
  const sections = [...folders]
    .sort(([a], [b]) => byNumber(a, b))
    .map(([folder, files]) => sectionOf(tree, folder, files, report, titleFromName(folder)))
    .filter(({ lessons, file }) => lessons.length > 0 || tree.has(file))
  const all = first.lessons.length > 0 ? [first, ...sections] : sections
  for (const { lessons } of all) for (const lesson of lessons) checkLesson(lesson, report)
  if (all.length === 0 && report.errors.length === 0) report.error(page ?? name, null, 'there is no lesson in it')
  return { ...course, sections: all }
}
