import type { WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type CourseSectionRow, type Db, type LessonRow, statement, statementOne } from '../../db/index.ts'
import { pick } from '../../util/pick.ts'

export type Section = CourseSectionRow
export type SectionLesson = Omit<LessonRow, 'feed_id' | 'video_url' | 'resources' | 'settings' | 'content'>

const LESSON_COLUMNS = 'id, course_id, section_id, title, slug, type, status, position, duration, is_preview, created_at, updated_at'

export const sectionsOf = statement<Section>('select * from course_sections where course_id = $1 order by position, id')
export const sectionById = statementOne<Section>('select * from course_sections where id = $1')
export const lessonsOf = statement<SectionLesson>(`select ${LESSON_COLUMNS} from lessons where course_id = $1 order by position, id`)
const lessonsIn = statement<SectionLesson>(`select ${LESSON_COLUMNS} from lessons where section_id = $1 order by position, id`)

export const sectionIn = async (db: Db, courseId: number, sectionId: number): Promise<Section> => {
  const section = await sectionById(db, [sectionId])
  if (section?.course_id !== courseId) throw new ApiError('section_not_found')
  return section
}

const viewSection = (section: Section, lessons: readonly SectionLesson[]) => ({
  ...pick(section, 'id', 'course_id', 'title', 'slug', 'status', 'scheduled_at', 'days_after', 'created_at', 'updated_at'),
  type: 'section' as const,
  priority: section.position,
  reactions_count: section.days_after,
  lessons: lessons.map(({ position, is_preview, ...lesson }) => ({ ...lesson, order: position, is_preview: is_preview === 1 })),
})

export const presentSections = async (db: Db, courseId: number, onlyPublished = false) => {
  const [sections, lessons] = await Promise.all([sectionsOf(db, [courseId]), lessonsOf(db, [courseId])])
  const shown = ({ status }: { readonly status: string }) => !onlyPublished || status === 'published'
  const bySection = Map.groupBy(lessons.filter(shown), (lesson) => lesson.section_id)
  return sections.filter(shown).map((section) => viewSection(section, bySection.get(section.id) ?? []))
}

export const presentSection = async (db: Db, section: Section) => viewSection(section, await lessonsIn(db, [section.id]))

/** The feed that holds a lesson's discussion. */
interface Discussion {
  readonly id: number
  readonly user_id: number
}

const discussionsWhere = (column: string) =>
  statement<Discussion>(
    `select f.id, f.user_id from lessons l join feeds f on f.id = l.feed_id where l.${column} = $1
     and (exists (select 1 from comments c where c.post_id = f.id) or exists (select 1 from reactions r where r.feed_id = f.id)) order by f.id`,
  )
/** Discussion feeds of a course or section. Query them before it is deleted, since the feeds are deleted by cascade. */
export const courseDiscussions = discussionsWhere('course_id')
export const sectionDiscussions = discussionsWhere('section_id')

/** Emits `feed.deleted` for feeds that were deleted with their lessons. */
export const emitDiscussionsDeleted = async ({ emit }: Pick<WriteContext, 'emit'>, deleted: readonly Discussion[]): Promise<void> => {
  for (const { id, user_id } of deleted) await emit('feed.deleted', { feed_id: id, user_id })
}
