import type { ArchiveRecord } from '@lyceum/contract/archive'
import {
  type CourseCategoryRow,
  type CourseRow,
  type CourseSectionRow,
  type LessonRow,
  statementIn,
  type Tables,
} from '../../../../server/src/db/index.ts'
import { addressesOf, mediaIn } from '../addresses.ts'
import { type ExportContext, listing } from '../context.ts'
import { filled, parsed } from '../filled.ts'

export const courseCategories = listing<CourseCategoryRow, 'course_categories'>({
  columns: 'k.*',
  from: 'course_categories k where 1 = 1',
  key: 'k.id',
  inSpace: null,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({ course_categories: rows.map(({ id }) => id) })
    return rows.map(({ id, title, slug }) => ({ id: ids.of('course_categories', id), title, slug }))
  },
})

const required = statementIn<{ course_id: number; required_id: number }>(
  (list) => `select course_id, required_id from course_prerequisites where course_id in (${list}) order by course_id, required_id`,
)

/** The lock screen without the ids of required courses, which the prerequisites contain. */
const lockscreenOf = (stored: string): Record<string, unknown> => {
  const { conditions, ...lockscreen } = parsed<{ conditions?: Record<string, unknown> }>(stored)
  const { required_courses: _, ...others } = conditions ?? {}
  return { ...lockscreen, ...filled({ conditions: others }) }
}

const courseRecords = async (ctx: ExportContext, rows: readonly CourseRow[]): Promise<ArchiveRecord<'courses'>[]> => {
  const courses = rows.map(({ id }) => id)
  const needed = await required(ctx.db, courses)
  const media = await mediaIn(
    ctx,
    rows.flatMap(({ featured_image, logo, cover_photo }) => [featured_image, logo, cover_photo]),
  )
  const addresses = await addressesOf(ctx.db, 'course_id', courses)
  const ids = await ctx.ids({
    courses: [...courses, ...needed.map(({ required_id }) => required_id)],
    course_categories: rows.map(({ category_id }) => category_id),
    people: rows.flatMap(({ instructor_id, created_by }) => [instructor_id, created_by]),
  })
  return rows.map((row) => ({
    id: ids.of('courses', row.id),
    urls: addresses(row.id, `/courses/${row.slug}`),
    title: row.title,
    slug: row.slug,
    ...filled({ description: row.description, content: row.content, category: ids.ifAny('course_categories', row.category_id) }),
    ...filled({ instructor: ids.ifAny('people', row.instructor_id), created_by: ids.ifAny('people', row.created_by) }),
    status: row.status,
    privacy: row.privacy,
    course_type: row.course_type,
    difficulty: row.difficulty,
    ...filled({ duration: row.duration }),
    price: row.price,
    ...filled({ settings: parsed(row.settings), lockscreen: lockscreenOf(row.lockscreen) }),
    ...filled({
      prerequisites: needed.filter(({ course_id }) => course_id === row.id).map(({ required_id }) => ids.of('courses', required_id)),
    }),
    ...media.picture('featured_image', row.featured_image),
    ...media.picture('logo', row.logo),
    ...media.picture('cover_photo', row.cover_photo),
    position: row.position,
    ...filled({ published_at: row.published_at }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

export const courses = listing<CourseRow, 'courses'>({
  columns: 'c.*',
  from: 'courses c where 1 = 1',
  key: 'c.id',
  inSpace: null,
  view: courseRecords,
})

export const courseSections = listing<CourseSectionRow, 'course_sections'>({
  columns: 's.*',
  from: 'course_sections s where 1 = 1',
  key: 's.id',
  inSpace: null,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({ course_sections: rows.map(({ id }) => id), courses: rows.map(({ course_id }) => course_id) })
    return rows.map(
      (row): ArchiveRecord<'course_sections'> => ({
        id: ids.of('course_sections', row.id),
        course: ids.of('courses', row.course_id),
        title: row.title,
        slug: row.slug,
        status: row.status,
        position: row.position,
        ...(row.days_after > 0 && { days_after: row.days_after }),
        ...filled({ scheduled_at: row.scheduled_at }),
        created_at: row.created_at,
        updated_at: row.updated_at,
      }),
    )
  },
})

type Quiz = Tables['quizzes'] & { readonly questions: string | null }

const quizzesOf = statementIn<Quiz>(
  (list) => `select q.*, v.questions from quizzes q left join quiz_versions v on v.id = q.version_id where q.lesson_id in (${list})`,
)

const quizOf = (quiz: Quiz | undefined): Pick<ArchiveRecord<'lessons'>, 'quiz'> =>
  quiz
    ? {
        quiz: {
          questions: parsed<Record<string, unknown>[]>(quiz.questions ?? '[]'),
          passing_score: quiz.passing_score,
          max_attempts: quiz.max_attempts,
          time_limit: quiz.time_limit,
          show_correct_answers: quiz.show_correct_answers === 1,
          randomize_questions: quiz.randomize_questions === 1,
        },
      }
    : {}

export const lessons = listing<LessonRow & { readonly course: string }, 'lessons'>({
  columns: 'l.*, c.slug as course',
  from: 'lessons l join courses c on c.id = l.course_id where 1 = 1',
  key: 'l.id',
  inSpace: null,
  view: async (ctx, rows) => {
    const found = await quizzesOf(
      ctx.db,
      rows.map(({ id }) => id),
    )
    const quizzes = new Map(found.map((quiz) => [quiz.lesson_id, quiz]))
    const addresses = await addressesOf(
      ctx.db,
      'lesson_id',
      rows.map(({ id }) => id),
    )
    const ids = await ctx.ids({
      lessons: rows.map(({ id }) => id),
      courses: rows.map(({ course_id }) => course_id),
      course_sections: rows.map(({ section_id }) => section_id),
    })
    return rows.map(
      (row): ArchiveRecord<'lessons'> => ({
        id: ids.of('lessons', row.id),
        urls: addresses(row.id, `/courses/${row.course}/lessons/${row.slug}`),
        course: ids.of('courses', row.course_id),
        section: ids.of('course_sections', row.section_id),
        title: row.title,
        slug: row.slug,
        type: row.type,
        status: row.status,
        ...filled({ content: row.content, video_url: row.video_url, duration: row.duration, is_preview: row.is_preview === 1 }),
        ...filled({ resources: parsed<Record<string, unknown>[]>(row.resources), settings: parsed(row.settings) }),
        ...quizOf(quizzes.get(row.id)),
        position: row.position,
        created_at: row.created_at,
        updated_at: row.updated_at,
      }),
    )
  },
})
