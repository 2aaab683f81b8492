import { type AssetLinks, createAssetLinks } from './asset-links.ts'
import type { CourseDraft, LessonDraft, SectionDraft } from './course-model.ts'
import { byNumber, titleFromName } from './file-names.ts'
import { readCoursePage, readSectionPage } from './markdown/course-page.ts'
import { readLessonPage } from './markdown/lesson-page.ts'
import { type Package, readPackages } from './qti/package.ts'
import { isGift, isQti, looksLikeGift, readQuizFile } from './quiz-file.ts'
import type { Report } from './report.ts'
import { decodeText, type Tree } from './tree.ts'
import { checkLesson } from './validate-lesson.ts'

const COURSE_PAGE = /^course\.(?:md|ya?ml|json)$/i
const SECTION_PAGE = /^section\.(?:md|ya?ml|json)$/i
const ABOUT = /^(?:readme|licen[cs]e|copying)(?:\.\w+)?$/i

/** The input and the collected results of a read. */
interface Reading {
  readonly tree: Tree
  readonly report: Report
  readonly assets: AssetLinks
  /** Paths that are neither lessons nor quizzes; reported unless a page references them. */
  readonly others: string[]
}

const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const isQuizFile = (tree: Tree, path: string): boolean =>
  isGift(path) || isQti(path) || (/\.txt$/i.test(path) && looksLikeGift(tree.get(path)?.toString('utf8') ?? ''))

const blank = (file: string): Omit<LessonDraft, 'title' | 'content' | 'quiz'> => ({
  slug: '',
  status: 'published',
  video_url: '',
  duration: '',
  is_preview: false,
  resources: [],
  files: [],
  file,
})

/** Adds the questions of another file to the quiz of a page. */
const joined = ({ tree, report }: Reading, { lesson, questionsIn }: ReturnType<typeof readLessonPage>): LessonDraft => {
  if (!questionsIn || !lesson.quiz) return lesson
  const path = [folderOf(lesson.file), questionsIn.name].filter(Boolean).join('/')
  if (!tree.has(path) || !isQuizFile(tree, path)) {
    report.error(lesson.file, questionsIn.line, `its folder has no file ${questionsIn.name} with questions (.gift or .xml)`)
    return lesson
  }
  const source = decodeText(tree, path, report)
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

const lessonsOf = (reading: Reading, paths: readonly string[]): LessonDraft[] => {
  const { tree, report, assets } = reading
  const pages = paths.map((path) => {
    if (!/\.md$/i.test(path)) return null
    const source = decodeText(tree, path, report)
    return source === null ? null : readLessonPage(path, source, report, assets.page(path))
  })
  const taken = new Set(
    pages.flatMap((page) => (page?.questionsIn ? [[folderOf(page.lesson.file), page.questionsIn.name].filter(Boolean).join('/')] : [])),
  )
  return paths.flatMap((path, index): LessonDraft[] => {
    const page = pages[index]
    if (page) {
      const lesson = joined(reading, page)
      if (lesson.quiz && lesson.quiz.questions.length === 0 && !report.errors.some(({ file }) => file === path || taken.has(file)))
        report.error(path, null, 'the quiz has no questions')
      return [lesson]
    }
    if (taken.has(path) || !isQuizFile(tree, path)) return []
    const source = decodeText(tree, path, report)
    if (source === null) return []
    return readQuizFile(path, source, report).map(({ title, intro, settings, questions }) => ({
      ...blank(path),
      title,
      content: { text: intro, format: 'markdown' },
      quiz: { settings, questions },
    }))
  })
}

/** Whether a file is a lesson. */
const isLesson = ({ tree, report, others }: Reading, path: string): boolean => {
  const name = nameOf(path)
  if (COURSE_PAGE.test(name) || SECTION_PAGE.test(name)) return false
  if (ABOUT.test(name)) {
    report.note(path, null, 'skipped: it describes the files and is not a lesson')
    return false
  }
  if (/\.md$/i.test(name) || isQuizFile(tree, path)) return true
  others.push(path)
  return false
}

/** The lessons for the quizzes of a package. */
const packedLessons = ({ quizzes }: Package): LessonDraft[] =>
  quizzes.map(({ file, title, settings, questions }) => ({
    ...blank(file),
    title,
    content: { text: '', format: 'markdown' },
    quiz: { settings, questions },
  }))

const sectionOf = (
  reading: Reading,
  folder: string,
  paths: readonly string[],
  packages: readonly Package[],
  title: string,
): SectionDraft => {
  const { tree, report } = reading
  const own = paths.filter((path) => SECTION_PAGE.test(nameOf(path)))
  const [page] = own
  if (own[1]) report.error(own[1], null, `the folder already has ${page && nameOf(page)}`)
  const source = page ? decodeText(tree, page, report) : null
  const head = readSectionPage(page ?? folder, source ?? '', report, title)
  const lessons = lessonsOf(
    reading,
    paths.filter((path) => isLesson(reading, path)).sort((a, b) => byNumber(nameOf(a), nameOf(b))),
  )
  return { ...head, lessons: [...lessons, ...packages.flatMap(packedLessons)] }
}

/** Groups files and packages by top-level folder; the key is '' for files at the root. */
const foldersOf = ({ report, others }: Reading, paths: readonly string[], packages: readonly Package[]) => {
  const folders = new Map<string, { paths: string[]; packages: Package[] }>()
  const folder = (name: string) => {
    const known = folders.get(name) ?? { paths: [], packages: [] }
    folders.set(name, known)
    return known
  }
  for (const each of packages) folder(each.folder.split('/', 1)[0] ?? '').packages.push(each)
  for (const path of paths) {
    const name = folderOf(path)
    if (!name.includes('/')) folder(name).paths.push(path)
    else if (/\.md$/i.test(path) || isGift(path))
      report.error(path, null, `it is nested too deeply: move it to the folder of its section (${name.split('/', 1)[0]}/)`)
    else others.push(path)
  }
  return folders
}

/**
 * Reads a course from a tree of files. All problems are added to the report.
 * `name`: the title if the files have none; `media`: the URL prefix of stored files, such as `https://community.example/media`.
 */
export const readCourse = (tree: Tree, { name, media }: { readonly name: string; readonly media: string }, report: Report): CourseDraft => {
  const reading: Reading = { tree, report, assets: createAssetLinks(tree, media, report), others: [] }
  const { packages, taken } = readPackages(tree, report)
  const paths = [...tree.keys()].filter((path) => !taken.has(path))
  const [page, second] = paths.filter((path) => COURSE_PAGE.test(path))
  if (second) report.error(second, null, `the course already has ${page}`)
  const source = page ? decodeText(tree, page, report) : null
  const file = page ?? 'course.md'
  const [packed] = packages
  const otherwise = (!page && packages.length === 1 && packed?.folder === '' && packed.title) || titleFromName(name)
  const course = readCoursePage(file, source ?? '', report, { title: otherwise, links: reading.assets.page(file) })
  if (!page && paths.length > 1) report.note('course.md', null, `the file does not exist, so the title of the course is ${course.title}`)

  const folders = foldersOf(reading, paths, packages)
  const loose = folders.get('') ?? { paths: [], packages: [] }
  folders.delete('')
  const first = sectionOf(reading, '', loose.paths, loose.packages, course.title)
  const sections = [...folders]
    .sort(([a], [b]) => byNumber(a, b))
    .map(([folder, each]) => sectionOf(reading, folder, each.paths, each.packages, titleFromName(folder)))
    .filter(({ lessons, file: from }) => lessons.length > 0 || tree.has(from))
  const all = first.lessons.length > 0 ? [first, ...sections] : sections
  for (const { lessons } of all) for (const lesson of lessons) checkLesson(lesson, report)
  for (const path of reading.others.filter((each) => !reading.assets.used.has(each)))
    report.note(path, null, 'skipped: it is neither a lesson (.md) nor a quiz (.gift, .xml), and no page references it')
  if (all.length === 0 && report.errors.length === 0) report.error(page ?? name, null, 'it contains no lessons')
  return { ...course, sections: all }
}
