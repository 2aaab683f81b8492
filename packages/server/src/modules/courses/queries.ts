import type { COURSE_ORDERS } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { type Db, likeContaining, type Placeholder, parameters, runText, statement, statementOne } from '../../db/index.ts'
import { managesAllCourses, visibleCourses } from './access.ts'
import { COURSE_COLUMNS, type CourseFor, courseTables } from './course-row.ts'
import { HIDES_INSTRUCTOR } from './settings.ts'

export interface PageWindow {
  readonly limit: number
  readonly offset: number
}

export interface CourseFilter {
  readonly status: CourseFor['status']
  readonly difficulty?: CourseFor['difficulty'] | undefined
  readonly categoryId?: number | undefined
  readonly instructorId?: number | undefined
  readonly search?: string | undefined
}

interface CourseOrder {
  readonly by: (typeof COURSE_ORDERS)[number]
  readonly direction: 'asc' | 'desc'
}

/** Each order has an index prefixed with the status. There are no course ratings yet, so that order is newest first. */
const ORDERS: Readonly<Record<CourseOrder['by'], string>> = {
  created_at: 'c.created_at',
  updated_at: 'c.updated_at',
  title: 'c.title',
  rating: 'c.created_at',
}

const condition = (actor: Actor, { status, difficulty, categoryId, instructorId, search }: CourseFilter, p: Placeholder): string => {
  const parts = [`c.status = ${p(status)}`, visibleCourses(actor, p)]
  if (difficulty) parts.push(`c.difficulty = ${p(difficulty)}`)
  if (categoryId !== undefined) parts.push(`c.category_id = ${p(categoryId)}`)
  if (instructorId !== undefined) {
    parts.push(`c.instructor_id = ${p(instructorId)}`)
    if (!managesAllCourses(actor)) parts.push(`(not (${HIDES_INSTRUCTOR}) or ${p(actor.id)} in (c.instructor_id, c.created_by))`)
  }
  if (search) {
    const pattern = likeContaining(search)
    parts.push(`(lower(c.title) like lower(${p(pattern)}) escape '\\' or lower(c.description) like lower(${p(pattern)}) escape '\\')`)
  }
  return parts.join(' and ')
}

/** A page of the visible courses, with the total. */
export const listCourses = async (
  db: Db,
  actor: Actor,
  filter: CourseFilter,
  { by, direction }: CourseOrder,
  { limit, offset }: PageWindow,
) => {
  const rows = parameters()
  const text = `select ${COURSE_COLUMNS} from ${courseTables(rows.p(actor.id))} where ${condition(actor, filter, rows.p)}
    order by ${ORDERS[by]} ${direction}, c.id ${direction} limit ${rows.p(limit)} offset ${rows.p(offset)}`
  const count = parameters()
  const counting = `select count(*) as total from ${courseTables(count.p(actor.id))} where ${condition(actor, filter, count.p)}`
  const [courses, [counted]] = await Promise.all([
    runText<CourseFor>(db, text, rows.values),
    runText<{ total: number }>(db, counting, count.values),
  ])
  return { courses, total: counted?.total ?? 0 }
}

const DONE = { active: 'and n.completed_at is null', completed: 'and n.completed_at is not null', all: '' } as const

/** A page of the caller's enrolments, newest first, with the total. */
export const listMyCourses = async (db: Db, actor: Actor, which: keyof typeof DONE, { limit, offset }: PageWindow) => {
  const tables = (p: Placeholder) => `enrolments n join courses c on c.id = n.course_id
    where n.user_id = ${p(actor.id)} and ${visibleCourses(actor, p)} ${DONE[which]}`
  const rows = parameters()
  const text = `select ${COURSE_COLUMNS} from ${tables(rows.p)}
    order by n.enrolled_at desc, n.id desc limit ${rows.p(limit)} offset ${rows.p(offset)}`
  const count = parameters()
  const [courses, [counted]] = await Promise.all([
    runText<CourseFor>(db, text, rows.values),
    runText<{ total: number }>(db, `select count(*) as total from ${tables(count.p)}`, count.values),
  ])
  return { courses, total: counted?.total ?? 0 }
}

export interface Instructor {
  readonly id: number
  readonly display_name: string
  readonly avatar: string
  readonly bio: string
}

export const instructorById = statementOne<Instructor>(
  `select id, display_name, avatar, short_description as bio from users where id = $1 and status = 'active'`,
)

const active = statementOne<{ id: number }>(`select id from users where id = $1 and status = 'active'`)
export const isActiveUser = async (db: Db, id: number): Promise<boolean> => (await active(db, [id])) !== undefined

const lastPosition = statementOne<{ position: number | null }>('select max(position) as position from courses')
export const nextCoursePosition = async (db: Db): Promise<number> => ((await lastPosition(db))?.position ?? 0) + 1

export interface SectionHeadRow {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly created_at: string
  readonly days_after: number
  readonly scheduled_at: string | null
}

/** Section headings as students see them. */
export const publishedSections = statement<SectionHeadRow>(
  `select id, title, slug, created_at, days_after, scheduled_at from course_sections
   where course_id = $1 and status = 'published' order by position, id`,
)
