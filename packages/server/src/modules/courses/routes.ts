import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { type PageQuery, pageOf, pagination, paginator } from '../../core/pagination.ts'
import { readPipeline } from '../../core/read-pipeline.ts'
import { type Handlers, type Input, messageAfter } from '../../http/pipeline/route-handlers.ts'
import { seesActivity } from '../members/index.ts'
import { viewActiveXprofile } from '../members/view.ts'
import { courseFor } from './access.ts'
import { findCategory, listCategories } from './categories.ts'
import { createCourse, removeCourse, saveLockscreen, updateCourse } from './commands.ts'
import type { CourseFor } from './course-row.ts'
import { addStudent, enrol, removeStudent, unenrol } from './enrolment.ts'
import { listCourses, listMyCourses } from './queries.ts'
import { presentSection, presentSections, sectionIn } from './section-queries.ts'
import { createSection, removeSection, reorderSections, updateSection } from './sections.ts'
import { listStudents } from './students.ts'
import { presentCourse, viewCourse, visibleCourse } from './view.ts'

const NO_CATEGORY = 0

const categoryId = async ({ db }: ReadRequest, name: string | undefined): Promise<number | undefined> =>
  name === undefined ? undefined : ((await findCategory(db, name.trim()))?.id ?? NO_CATEGORY)

interface Page {
  readonly rows: readonly CourseFor[]
  readonly total: number
  /** Status of the courses whose categories are listed. */
  readonly status: CourseFor['status']
}

const coursePage = <Query extends PageQuery & Readonly<Record<string, unknown>>>(
  skeleton: (ctx: ReadRequest, query: Query) => Promise<Page>,
) =>
  readPipeline({
    skeleton,
    hydrate: async ({ db, actor }, page) => ({ ...page, course_categories: await listCategories(db, actor, page.status) }),
    filter: ({ actor }, { rows, ...page }) => ({ ...page, courses: rows.map((course) => visibleCourse(actor, course)) }),
    present: ({ request }, { courses, total, course_categories }, query) => ({
      courses: paginator(request.url, query, courses.map(viewCourse), total),
      course_categories,
    }),
  })

const allCourses = coursePage(async (ctx, query: Input<typeof api.courses.list>['query']) => {
  const { status = 'published', orderby: by = 'created_at', difficulty, search, instructor_id: instructorId } = query
  const { order: direction = by === 'title' ? 'asc' : 'desc' } = query
  const filter = { status, difficulty, instructorId, search: search?.trim(), categoryId: await categoryId(ctx, query.category) }
  return { ...(await listCourses(ctx.db, ctx.actor, filter, { by, direction }, pageOf(query))), status }
})

const myCourses = coursePage(async ({ db, actor }, query: Input<typeof api.courses.mine>['query']) => ({
  ...(await listMyCourses(db, actor, query.status ?? 'active', pageOf(query))),
  status: 'published',
}))

export const courseHandlers: Handlers<typeof api.courses> = {
  list: (ctx, { query }) => allCourses(ctx, query),
  mine: (ctx, { query }) => myCourses(ctx, query),
  byId: async (ctx, { params }) => ({ data: await presentCourse(ctx, await courseFor(ctx, params.course_id, 'view')) }),
  bySlug: async (ctx, { params }) => ({ data: await presentCourse(ctx, await courseFor(ctx, params.course_slug, 'view')) }),

  create: async (ctx, { body }) => ({ message: 'The course is created.', data: await createCourse(ctx, body) }),
  update: async (ctx, { params, body }) => ({ message: 'The course was updated.', data: await updateCourse(ctx, params.course_id, body) }),
  remove: (ctx, { params }) => messageAfter(removeCourse(ctx, params.course_id), 'The course was deleted.'),

  enroll: async (ctx, { params }) => ({ message: 'You are enrolled.', data: await enrol(ctx, params.course_id) }),
  unenroll: (ctx, { params }) => messageAfter(unenrol(ctx, params.course_id), 'You have left the course.'),

  students: async (ctx, { params, query }) => {
    const course = await courseFor(ctx, params.course_id, 'manage')
    const { orderby: by = 'enrolled_at', search } = query
    const { order: direction = by === 'display_name' ? 'asc' : 'desc' } = query
    const wanted = { courseId: course.id, count: course.students_count, search: search?.trim(), by, direction }
    const { rows, total } = await listStudents(ctx.db, wanted, pageOf(query))
    const data = rows.map((row) => ({
      user_id: row.user_id,
      username: row.u_username,
      display_name: row.u_display_name,
      avatar: row.u_avatar,
      progress_percentage: row.progress,
      enrolled_at: row.enrolled_at,
      last_accessed: row.last_accessed_at,
    }))
    return { data, meta: pagination(total, query.page, query.per_page) }
  },
}

const SORTS = { created_at: 'enrolled_at', display_name: 'display_name', last_activity: 'last_activity', progress: 'progress' } as const

export const adminCourseHandlers: Handlers<typeof api.adminCourses> = {
  saveLockscreens: async (ctx, { params, body }) => ({
    message: 'The lock screen was updated.',
    lockscreen: await saveLockscreen(ctx, params.course_id, body),
  }),

  students: async (ctx, { params, query }) => {
    const course = await courseFor(ctx, params.course_id, 'manage')
    const mayReadActivity = await seesActivity(ctx)
    const { search } = query
    // Sorting by last activity would reveal as much as the timestamps.
    const sort_by = !mayReadActivity && query.sort_by === 'last_activity' ? 'created_at' : (query.sort_by ?? 'created_at')
    const { sort_dir: direction = sort_by === 'display_name' ? 'asc' : 'desc' } = query
    const wanted = { courseId: course.id, count: course.students_count, search: search?.trim(), by: SORTS[sort_by], direction }
    const { rows, total } = await listStudents(ctx.db, wanted, pageOf(query))
    const students = rows.map((row) => ({
      ...viewActiveXprofile(mayReadActivity || row.user_id === ctx.actor.id ? row : { ...row, u_last_activity: null }),
      progress: row.progress,
      space_pivot: { role: 'student' as const, status: 'active' as const, created_at: row.enrolled_at },
    }))
    return { students: paginator(ctx.request.url, query, students, total) }
  },
  addStudent: async (ctx, { params, body }) => ({
    message: 'The student was enrolled.',
    data: await addStudent(ctx, params.course_id, body.user_id),
  }),
  removeStudent: (ctx, { params }) => messageAfter(removeStudent(ctx, params.course_id, params.user_id), 'The student was removed.'),
}

const updateOne: Handlers<typeof api.courseSections>['patch'] = async (ctx, { params, body }) => {
  const section = await updateSection(ctx, params.course_id, params.section_id, body)
  return { message: 'The section was updated.', data: await presentSection(ctx.db, section) }
}

export const courseSectionHandlers: Handlers<typeof api.courseSections> = {
  list: async (ctx, { params, query }) => {
    const { id } = await courseFor(ctx, params.course_id, 'manage')
    return { sections: await presentSections(ctx.db, id, query.only_published) }
  },
  byId: async (ctx, { params }) => {
    const { id } = await courseFor(ctx, params.course_id, 'manage')
    return { data: await presentSection(ctx.db, await sectionIn(ctx.db, id, params.section_id)) }
  },
  create: async (ctx, { params, body }) => {
    const section = await createSection(ctx, params.course_id, body)
    return { message: 'The section is created.', data: await presentSection(ctx.db, section) }
  },
  update: updateOne,
  patch: updateOne,
  remove: (ctx, { params }) => messageAfter(removeSection(ctx, params.course_id, params.section_id), 'The section was deleted.'),
  reorder: async (ctx, { params, body }) => {
    await reorderSections(ctx, params.course_id, body.indexes)
    return { message: 'The sections were reordered.', sections: await presentSections(ctx.db, params.course_id) }
  },
}
