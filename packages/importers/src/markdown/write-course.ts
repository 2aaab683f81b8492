import { stringify } from 'yaml'
import type { Content, CourseDraft, FileDraft, LessonDraft, QuestionDraft, QuizDraft, SectionDraft } from '../course-model.ts'
import { numberedName } from '../file-names.ts'

/** Omits empty values and defaults. */
const without = (data: Record<string, unknown>, defaults: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => {
      if (value === undefined || value === null || value === defaults[name]) return false
      return !(Array.isArray(value) && value.length === 0) && !(typeof value === 'object' && Object.keys(value).length === 0)
    }),
  )

const page = (data: Record<string, unknown>, { text, format }: Content): string => {
  const head = stringify({ ...data, ...(format === 'html' && text !== '' && { format }) }, { lineWidth: 0 })
  return `---\n${head}---\n${text === '' ? '' : `\n${text}\n`}`
}

const questionData = ({ type, question, options, answers, points, explanation }: QuestionDraft) => ({
  type,
  question,
  ...(options.length > 0 && { options: options.map(({ text, is_correct }) => ({ text, ...(is_correct && { correct: true }) })) }),
  ...(type === 'true_false'
    ? { answer: answers[0] === 'true' }
    : answers.length === 1
      ? { answer: answers[0] }
      : answers.length > 1 && { answers }),
  ...(points !== 1 && { points }),
  ...(explanation !== '' && { explanation }),
})

const quizData = ({ settings, questions }: QuizDraft) => ({ ...settings, questions: questions.map(questionData) })

const EMPTY = { slug: '', description: '', category: '', duration: '', video_url: '', featured_image: '', logo: '', cover_photo: '' }

const ADDRESS = /^(?:https?:\/\/[^/]+)?\/media\/([0-9a-f]{32})\/[^\s"<>]*$/i
const ATTRIBUTE = /(?<= (?:src|href|poster)=")[^"]*(?=")/g

const segments = (path: string) => path.split('/').map(encodeURIComponent).join('/').replaceAll("'", '%27')

/** Replaces URLs of stored files with relative paths; `up` is the path from the page to the course root. */
const localiser = (files: readonly FileDraft[], up: string) => {
  const paths = new Map(files.map(({ key, path }) => [key, path]))
  const address = (url: string): string => {
    const path = paths.get(ADDRESS.exec(url)?.[1] ?? '')
    return path === undefined ? url : `${up}${segments(path)}`
  }
  return { address, content: ({ text, format }: Content): Content => ({ text: text.replace(ATTRIBUTE, address), format }) }
}

const lessonPage = ({ content, quiz, file: _, files, video_url, resources, ...rest }: LessonDraft): string => {
  const local = localiser(files, '../')
  const links = resources.map(({ title, url }) => ({ title, url: local.address(url) }))
  const lesson = { ...rest, video_url: local.address(video_url), resources: links }
  return page({ ...without(lesson, { ...EMPTY, is_preview: false }), ...(quiz && { quiz: quizData(quiz) }) }, local.content(content))
}

const sectionPage = ({ lessons: _, file: __, ...section }: SectionDraft): string =>
  page(without(section, { ...EMPTY, days_after: 0 }), { text: '', format: 'markdown' })

const coursePage = ({ sections: _, content, file: __, files, ...course }: CourseDraft): string => {
  const local = localiser(files, '')
  const { featured_image, logo, cover_photo } = course
  const pictures = {
    featured_image: local.address(featured_image),
    logo: local.address(logo),
    cover_photo: local.address(cover_photo),
  }
  return page(without({ ...course, ...pictures }, { ...EMPTY, price: 0 }), local.content(content))
}

/** The pages of a course by path, in the layout that `readCourse` reads. */
export const writeCoursePages = (course: CourseDraft): Map<string, string> => {
  const files = new Map([['course.md', coursePage(course)]])
  course.sections.forEach((section, index) => {
    const folder = numberedName(index + 1, course.sections.length, section.slug)
    files.set(`${folder}/section.md`, sectionPage(section))
    section.lessons.forEach((lesson, place) => {
      files.set(`${folder}/${numberedName(place + 1, section.lessons.length, lesson.slug)}.md`, lessonPage(lesson))
    })
  })
  return files
}
