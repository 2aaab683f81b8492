import { randomSuffix, render } from '@lyceum/content'
import { type api, type BodyOf, type Infer, PERMISSIONS, type QuizInput } from '@lyceum/contract'
import type { Content, CourseDraft, LessonDraft, QuestionDraft, QuizDraft } from '@lyceum/importers'
import { normalizeLogin } from '../../../server/src/auth/authenticate.ts'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import type { WriteContext, WriteRequest } from '../../../server/src/core/context.ts'
import { ApiError } from '../../../server/src/core/errors.ts'
import { type Db, statementOne } from '../../../server/src/db/index.ts'
import { createCourse, createSection, loadCourse } from '../../../server/src/modules/courses/index.ts'
import { addLessons, type LessonAdder } from '../../../server/src/modules/lessons/index.ts'

interface Account {
  readonly id: number
  readonly username: string
}

const named = statementOne<Account>(`select id, username from users where (username = $1 or email = $1) and status = 'active'`)
const firstAdmin = statementOne<Account>(
  `select u.id, u.username from users u join managers m on m.user_id = u.id
   where m.role = 'admin' and m.status = 'active' and u.status = 'active' order by u.id limit 1`,
)

/** The owner of an imported course: the named user, otherwise the first administrator. */
export const ownerOf = async (db: Db, name: string | undefined): Promise<Account> => {
  const account = name === undefined ? await firstAdmin(db, []) : await named(db, [normalizeLogin(name)])
  if (!account)
    throw new CommandError(name === undefined ? 'there is no administrator; set the owner with --owner' : `there is no user ${name}`)
  return account
}

/** A write on behalf of a user with all permissions. */
export const inNameOf = (ctx: WriteContext, { id, username }: Account): WriteRequest => ({
  ...ctx,
  actor: { id, username, role: 'admin', permissions: new Set(PERMISSIONS), managedSpaces: null, createdAt: '', sessionId: null },
  request: { id: 'command', ip: '', userAgent: '', url: '', startedAt: 0 },
})

type Questions = NonNullable<Infer<typeof QuizInput>['questions']>

const htmlOf = ({ text, format }: Content): string => render(text, format)

const questionInput = ({ type, question, options, answers, points, explanation }: QuestionDraft): Questions[number] => ({
  type,
  question,
  points,
  explanation,
  ...(type === 'true_false' || type === 'short_answer'
    ? { correct_answer: answers.join('\n') || null }
    : { options: options.map(({ text, is_correct }) => ({ text, is_correct })) }),
})

const quizInput = ({ settings, questions }: QuizDraft): Infer<typeof QuizInput> => ({ settings, questions: questions.map(questionInput) })

/** Adds the file name to errors of the modules. */
const withFileName = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(`${file}: ${error.message}`)
    throw error
  }
}

const freeSlug = async (ctx: WriteRequest, slug: string): Promise<string | undefined> => {
  if (slug === '') return undefined
  return (await loadCourse(ctx.db, slug.toLowerCase(), 0)) ? `${slug.slice(0, 180)}-${randomSuffix()}` : slug
}

const storeLesson = (adder: LessonAdder, sectionId: number, lesson: LessonDraft): Promise<void> => {
  const { title, slug, status, content, video_url, duration, is_preview, resources, quiz } = lesson
  return adder.add(sectionId, {
    title,
    type: quiz ? 'quiz' : 'lesson',
    status,
    content: htmlOf(content),
    video_url,
    duration,
    is_preview,
    resources: [...resources],
    ...(slug !== '' && { slug }),
    ...(quiz && { quiz: quizInput(quiz) }),
  })
}

interface StoredCourse {
  readonly id: number
  readonly slug: string
}

/**
 * Stores a course with sections, lessons and quizzes, using the functions of the API, in the transaction of `ctx`. A taken slug gets a suffix.
 */
export const storeCourse = async (
  ctx: WriteRequest,
  { sections, file, content, slug, settings, ...course }: CourseDraft,
): Promise<StoredCourse> => {
  const wanted = await freeSlug(ctx, slug)
  const made = await withFileName(file, () =>
    createCourse(ctx, {
      ...course,
      description: course.description || course.title,
      content: htmlOf(content),
      settings: settings as NonNullable<BodyOf<typeof api.courses.create>['settings']>,
      ...(wanted !== undefined && { slug: wanted }),
    }),
  )
  const adder = await addLessons(ctx, made.id)
  for (const section of sections) {
    const { title, status, days_after, scheduled_at } = section
    const { id } = await withFileName(section.file, () =>
      createSection(ctx, made.id, {
        title,
        status,
        ...(section.slug !== '' && { slug: section.slug }),
        ...(days_after > 0 && { days_after }),
        ...(scheduled_at !== null && { scheduled_at }),
      }),
    )
    for (const lesson of section.lessons) await withFileName(lesson.file, () => storeLesson(adder, id, lesson))
  }
  await adder.done()
  return { id: made.id, slug: made.slug }
}
