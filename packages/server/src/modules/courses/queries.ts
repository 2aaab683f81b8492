import type { COURSE_ORDERS } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import {
  type CourseSectionRow,
  containsText,
  type Db,
  type PageWindow,
  type Placeholder,
  selectPage,
  statement,
  statementExists,
  statementNumber,
  statementOne,
} from '../../db/index.ts'
import { managesAllCourses, visibleCourses } from './access.ts'
import { COURSE_COLUMNS, type CourseFor, courseTables } from './course-row.ts'
import { type LessonRecord, lessonTables, PUBLISHED_LESSON, SECTION_COLUMNS } from './lesson-access.ts'
import { HIDES_INSTRUCTOR } from './settings.ts'

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
  if (search) parts.push(containsText(search, p, 'c.title', 'c.description'))
  return parts.join(' and ')
}

export const listCourses = (db: Db, actor: Actor, filter: CourseFilter, { by, direction }: CourseOrder, page: PageWindow) =>
  selectPage<CourseFor>(
    db,
    {
      columns: COURSE_COLUMNS,
      tables: (p) => courseTables(p(actor.id)),
      where: (p) => condition(actor, filter, p),
      order: `${ORDERS[by]} ${direction}, c.id ${direction}`,
    },
    page,
  )

const DONE = { active: 'and n.completed_at is null', completed: 'and n.completed_at is not null', all: '' } as const

export const listMyCourses = (db: Db, actor: Actor, which: keyof typeof DONE, page: PageWindow) =>
  selectPage<CourseFor>(
    db,
    {
      columns: COURSE_COLUMNS,
      tables: 'enrolments n join courses c on c.id = n.course_id',
      where: (p) => `n.user_id = ${p(actor.id)} and ${visibleCourses(actor, p)} ${DONE[which]}`,
      order: 'n.enrolled_at desc, n.id desc',
    },
    page,
  )

export const instructorById = statementOne<{ id: number; display_name: string; avatar: string; bio: string }>(
  `select id, display_name, avatar, short_description as bio from users where id = $1 and status = 'active'`,
)

export const isActiveUser = statementExists(`select id from users where id = $1 and status = 'active'`)

export const nextCoursePosition = statementNumber('select coalesce(max(position), 0) + 1 as n from courses')

export type OutlineRow = Omit<LessonRecord, 'content' | 'resources' | 'settings' | 'video_url' | 'feed_id' | 'created_at' | 'updated_at'>

/** The lessons that students see, in order, without their content. */
export const publishedLessons = statement<OutlineRow>(
  `select l.id, l.course_id, l.section_id, l.title, l.slug, l.type, l.status, l.position, l.duration, l.is_preview, ${SECTION_COLUMNS}
   from ${lessonTables('$2')} where l.course_id = $1 and ${PUBLISHED_LESSON} order by l.position, l.id`,
)

export type SectionHeadRow = Pick<CourseSectionRow, 'id' | 'title' | 'slug' | 'created_at' | 'days_after' | 'scheduled_at'>

export const publishedSections = statement<SectionHeadRow>(
  `select id, title, slug, created_at, days_after, scheduled_at from course_sections
   where course_id = $1 and status = 'published' order by position, id`,
)
