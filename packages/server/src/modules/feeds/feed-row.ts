import { batchStatement, type Db, rowVersion, statementIn, statementOne } from '../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'

/** A feed with its author, its space and how the caller stands to them: what access rules and views need. */
export interface FeedFor extends PersonColumns {
  readonly id: number
  readonly user_id: number
  readonly parent_id: number | null
  readonly title: string
  readonly slug: string
  readonly message: string
  readonly message_rendered: string
  readonly type: string
  readonly content_type: string
  readonly space_id: number | null
  readonly privacy: 'public' | 'private'
  readonly status: 'published' | 'draft' | 'scheduled' | 'pending' | 'spam'
  readonly featured_image: string | null
  readonly meta: string
  readonly is_sticky: 0 | 1
  readonly comments_count: number
  readonly reactions_count: number
  readonly priority: number
  readonly expired_at: string | null
  readonly scheduled_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** The last change of the content after it was published. */
  readonly edited_at: string | null
  readonly edited_by_moderator: 0 | 1
  readonly published_at: string
  readonly active_at: string
  readonly listed: 0 | 1
  readonly s_title: string | null
  readonly s_slug: string | null
  readonly s_type: string | null
  readonly s_privacy: 'public' | 'private' | 'secret' | null
  readonly s_status: 'published' | 'draft' | 'archived' | null
  readonly s_settings: string | null
  readonly my_role: 'member' | 'moderator' | 'admin' | null
  readonly my_status: 'active' | 'pending' | 'banned' | null
  /** Looked up where it matters: for private feeds outside of spaces. */
  readonly follows_author: 1 | null
  /** The lesson whose comments stand under it. */
  readonly lesson_id: number | null
  /** In its course the caller is nobody (0), a student who sees that the lesson is there (1), or who runs it (2). */
  readonly lesson_place: 0 | 1 | 2 | null
  readonly my_reaction: string | null
  readonly my_bookmark: number | null
  /** Changes with every change of the row, on PostgreSQL (`rowVersion`); null on SQLite. */
  readonly version: string | null
}

/** The same without texts and author: what access rules need. */
export type FeedStanding = Omit<FeedFor, 'message' | 'message_rendered' | 'edited_at' | 'edited_by_moderator' | keyof PersonColumns>

/** The feed in a list, before its parts are fetched: what is the caller's own, and which version of the row was found. */
export type FoundFeed = Pick<FeedFor, 'id' | 'my_reaction' | 'my_bookmark' | 'version'>

/** The same with what lists are sorted by: what the order of the list at hand needs is there. */
export type FeedHit = FoundFeed &
  Partial<Pick<FeedFor, 'published_at' | 'active_at' | 'reactions_count' | 'title' | 'slug'> & { readonly popularity: number }>

/** SQL that gives a row when the member whose id stands in `me` follows the author of feed `alias`; a request gives no rights. */
export const followOf = (me: string, alias = 'f') =>
  `select 1 from followers vf where vf.follower_id = ${me} and vf.following_id = ${alias}.user_id and vf.status = 'active'`

/** SQL: in which place the member whose id stands in `me` is to the lesson of feed `alias`. */
const lessonPlaceOf = (me: string, alias = 'f') => `select case when vc.created_by = ${me} or vc.instructor_id = ${me} then 2
  when vc.status = 'published' and vl.status = 'published' and vs.status = 'published'
    and exists (select 1 from enrolments ve where ve.course_id = vc.id and ve.user_id = ${me}) then 1 else 0 end
  from lessons vl join course_sections vs on vs.id = vl.section_id join courses vc on vc.id = vl.course_id where vl.id = ${alias}.lesson_id`

/** SQL that holds for feed `alias` of a lesson which the member whose id stands in `me` runs, or sees as a student. */
export const learnsIn = (me: string, alias = 'f') => `(${alias}.lesson_id is not null and (${lessonPlaceOf(me, alias)}) > 0)`

/** SQL of what is the own of the member whose id stands in `me`, in feed `alias`, of which it needs the id alone. */
export const ownColumns = (me: string, alias = 'f') => `
  (select r.type from reactions r where r.feed_id = ${alias}.id and r.user_id = ${me} and r.comment_id is null) as my_reaction,
  (select b.id from bookmarks b where b.feed_id = ${alias}.id and b.user_id = ${me}) as my_bookmark`

/** What the order `popular` sorts by; has an index as an expression. */
export const POPULARITY = '(f.reactions_count + 2 * f.comments_count)'
const SORTING = ['published_at', 'active_at', 'reactions_count', 'popularity', 'title', 'slug'] as const
export type SortColumn = (typeof SORTING)[number]

/** SQL of what lists are sorted by; the table is f. */
export const sortColumns = (names: readonly SortColumn[]): string[] =>
  names.map((name) => (name === 'popularity' ? `${POPULARITY} as popularity` : `f.${name}`))

/** Columns of a list's rows as the member whose id stands in `me` (a placeholder) sees them; the table is f. */
export const hitColumns = (me: string, version = 'null') =>
  `f.id, ${sortColumns(SORTING).join(', ')}, ${ownColumns(me)}, ${version} as version`

const standingColumns = (me: string, version: string) => `f.id, f.user_id, f.parent_id, f.title, f.slug, f.type, f.content_type,
  f.space_id, f.privacy, f.status, f.featured_image, f.meta, f.is_sticky, f.comments_count, f.reactions_count, f.priority, f.expired_at,
  f.scheduled_at, f.created_at, f.updated_at, f.published_at, f.active_at, f.listed,
  s.title as s_title, s.slug as s_slug, s.type as s_type, s.privacy as s_privacy, s.status as s_status, s.settings as s_settings,
  m.role as my_role, m.status as my_status,
  case when f.privacy = 'private' and f.space_id is null then (${followOf(me)}) end as follows_author,
  f.lesson_id, case when f.lesson_id is not null then (${lessonPlaceOf(me)}) end as lesson_place, ${ownColumns(me)}, ${version} as version`

/** All columns of a feed as the member whose id stands in `me` sees it; the tables are those of `feedTables`. */
export const feedColumns = (me: string, version = 'null') =>
  `${standingColumns(me, version)}, f.message, f.message_rendered, f.edited_at, f.edited_by_moderator,
  ${PERSON_COLUMNS}`

const placeTables = (me: string) => `left join spaces s on s.id = f.space_id
  left join space_members m on m.space_id = f.space_id and m.user_id = ${me}`

export const feedTables = (me: string) => `feeds f join users u on u.id = f.user_id ${placeTables(me)}`

/** Statements that tell the version of the feed's row. */
const versioned = <S>(make: (version: string) => S) => {
  const made = new Map<string, S>()
  return (db: Db): S => {
    const version = rowVersion(db, 'f')
    const known = made.get(version)
    if (known) return known
    const fresh = make(version)
    made.set(version, fresh)
    return fresh
  }
}

const standing = (where: string) =>
  versioned((version) =>
    statementOne<FeedStanding>(`select ${standingColumns('$2', version)} from feeds f ${placeTables('$2')} where ${where}`),
  )

const byId = versioned((version) => statementOne<FeedFor>(`select ${feedColumns('$2', version)} from ${feedTables('$2')} where f.id = $1`))
const standingById = standing('f.id = $1')
const standingBySlug = standing('f.slug = $1')

/** A feed with everything of its row, as that member sees it. */
export const loadFeed = (db: Db, id: number, userId: number): Promise<FeedFor | undefined> => byId(db)(db, [id, userId])

/** How a member stands to a feed, by its id or slug. */
export const loadStanding = (db: Db, key: number | string, userId: number): Promise<FeedStanding | undefined> =>
  (typeof key === 'number' ? standingById(db) : standingBySlug(db))(db, [key, userId])

const standings = batchStatement<FeedStanding & { readonly me: number }>(
  { feed_id: 'bigint', me: 'bigint' },
  (rows) => `select d.me, ${standingColumns('d.me', 'null')} from ${rows} d join feeds f on f.id = d.feed_id ${placeTables('d.me')}`,
)

/** How members stand to feeds, for many of both: `[feed, member]`. */
export const loadStandings = (db: Db, pairs: readonly (readonly [number, number])[]) => standings(db, pairs)

const byIds = versioned((version) =>
  statementIn<FeedFor>((list) => `select ${feedColumns('$1', version)} from ${feedTables('$1')} where f.id in (${list(2)})`),
)

const courseOfLesson = statementOne<{ course_id: number; settings: string }>(
  'select l.course_id, c.settings from lessons l join courses c on c.id = l.course_id where l.id = $1',
)

/** Several feeds with everything of their rows, in no particular order. */
export const loadFeeds = (db: Db, ids: readonly number[], userId: number): Promise<FeedFor[]> =>
  ids.length === 0 ? Promise.resolve([]) : byIds(db)(db, ids.length, [userId, ...ids])

/** Where the lesson of a feed stands. */
export const lessonOf = (db: Db, lessonId: number) => courseOfLesson(db, [lessonId])
