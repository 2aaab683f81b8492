import { type Db, statement, statementOne, statementValues, updateRows } from '../../db/index.ts'
import { type LessonRecord, lessonTables, PUBLISHED_LESSON, SECTION_COLUMNS } from '../courses/index.ts'

/** A lesson in a list, without its content. */
export interface ListedLesson extends LessonRecord {
  readonly content: ''
  readonly content_bytes: number
  readonly comments_count: number
}

const list = (where: string) =>
  statement<ListedLesson>(
    `select l.id, l.course_id, l.section_id, l.feed_id, l.type, l.status, l.position, l.is_preview, l.slug, l.title, l.video_url, l.duration,
     l.resources, l.settings, l.created_at, l.updated_at, '' as content, octet_length(l.content) as content_bytes, ${SECTION_COLUMNS},
     coalesce(lf.comments_count, 0) as comments_count from ${lessonTables('$2')}
     left join feeds lf on lf.id = l.feed_id where l.course_id = $1${where} order by l.position, l.id`,
  )

const all = list('')
const published = list(` and ${PUBLISHED_LESSON}`)
const ofSection = list(' and l.section_id = $3')

/** The lessons of a course in order, with the member's access; `drafts` includes unpublished ones. */
export const listLessons = (db: Db, courseId: number, userId: number, { drafts }: { readonly drafts: boolean }): Promise<ListedLesson[]> =>
  (drafts ? all : published)(db, [courseId, userId])

export const listSection = (db: Db, courseId: number, userId: number, sectionId: number): Promise<ListedLesson[]> =>
  ofSection(db, [courseId, userId, sectionId])

export const contentsOf = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('lessons').select(['id', 'content']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, content }) => [id, content]))
}

export interface SectionRef {
  readonly id: number
  readonly status: string
}

export const sectionIn = statementOne<SectionRef>('select id, status from course_sections where id = $1 and course_id = $2')

export const lessonOrder = statement<{ id: number; section_id: number }>(
  'select id, section_id from lessons where course_id = $1 order by position, id',
)

export const sectionsIn = statementValues<number>('select id from course_sections where course_id = $1 order by position, id')
export const slugsIn = statementValues<string>('select slug from lessons where course_id = $1')

/** Numbers the lessons 1, 2, 3… in this order; the caller must hold the course's lock. */
export const saveOrder = (db: Db, ids: readonly number[]): Promise<void> =>
  updateRows(
    db,
    'lessons',
    { id: 'bigint', position: 'bigint' },
    'position = d.position',
    'lessons.id = d.id and lessons.position <> d.position',
    ids.map((id, i) => [id, i + 1]),
  )

export const setPosition = statement('update lessons set position = $2 where id = $1')

export const lessonWithSlug = statementOne<{ id: number }>('select id from lessons where course_id = $1 and slug = $2')

const ofFeed = statementOne<{ comments_count: number }>('select comments_count from feeds where id = $1')
export const commentsUnder = async (db: Db, feedId: number | null): Promise<number> =>
  feedId === null ? 0 : ((await ofFeed(db, [feedId]))?.comments_count ?? 0)
