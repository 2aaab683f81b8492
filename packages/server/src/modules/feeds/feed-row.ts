import { remember } from '@lyceum/content/lazy'
import { FEED_TYPES } from '@lyceum/contract'
import {
  batchStatement,
  type Db,
  type FeedRow,
  isSingleWriter,
  rowVersion,
  type SpaceMemberRow,
  type SpaceRow,
  statementIn,
  statementOne,
} from '../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'
import { STORED_FIELDS } from './fields.ts'
import type { Meta, Survey } from './meta.ts'

type Row = FeedRow
type Space = SpaceRow
type Membership = SpaceMemberRow

/** A feed with its author, its space and the caller's relation to them, as access rules and views need it. */
export interface FeedFor extends PersonColumns, Readonly<Row> {
  readonly s_title: string | null
  readonly s_slug: string | null
  readonly s_type: string | null
  readonly s_privacy: Space['privacy'] | null
  readonly s_status: Space['status'] | null
  readonly s_settings: string | null
  readonly my_role: Membership['role'] | null
  readonly my_status: Membership['status'] | null
  /** Queried only for private feeds outside of spaces; null otherwise. */
  readonly follows_author: 1 | null
  /** The caller's role in the course: 0 none, 1 a student who can see the lesson, 2 manager. */
  readonly lesson_role: 0 | 1 | 2 | null
  readonly my_reaction: string | null
  readonly my_bookmark: number | null
  /** Changes with every update of the row on PostgreSQL (`rowVersion`); null on SQLite. */
  readonly version: string | null
}

/** The names of the tables that decide who sees a feed which is the discussion of a lesson. */
export const LESSON_ACCESS = ['vl', 'vs', 'vc', 've']

/** A feed without texts and author: what access rules need. */
export type FeedAccessRow = Omit<FeedFor, 'message' | 'message_rendered' | 'edited_at' | 'edited_by_moderator' | keyof PersonColumns>

/** A feed found by a list query: the caller's own state and the version of the row. */
export type FoundFeed = Pick<FeedFor, 'id' | 'my_reaction' | 'my_bookmark' | 'version'>

/** `FoundFeed` with the sort columns; only those that the current order needs are set. */
export type FeedHit = FoundFeed &
  Partial<Pick<FeedFor, 'published_at' | 'active_at' | 'reactions_count' | 'title' | 'slug'> & { readonly popularity: number }>

/** SQL subquery that returns a row if the member with id `me` follows the author of feed `alias`. Pending follow requests do not count. */
export const followsAuthor = (me: string, alias = 'f') =>
  `select 1 from followers vf where vf.follower_id = ${me} and vf.following_id = ${alias}.user_id and vf.status = 'active'`

/** SQL subquery for the role (0, 1 or 2) of the member with id `me` in the lesson of feed `alias`. */
const lessonRoleOf = (me: string, alias = 'f') => `select case when vc.created_by = ${me} or vc.instructor_id = ${me} then 2
  when vc.status = 'published' and vl.status = 'published' and vs.status = 'published'
    and exists (select 1 from enrolments ve where ve.course_id = vc.id and ve.user_id = ${me}) then 1 else 0 end
  from lessons vl join course_sections vs on vs.id = vl.section_id join courses vc on vc.id = vl.course_id where vl.id = ${alias}.lesson_id`

/** SQL condition: feed `alias` belongs to a lesson that the member with id `me` manages or sees as a student. */
export const seesLesson = (me: string, alias = 'f') => `(${alias}.lesson_id is not null and (${lessonRoleOf(me, alias)}) > 0)`

/** SQL columns for the reaction and bookmark of the member with id `me`. Needs only the id of feed `alias`. */
export const viewerStateColumns = (me: string, alias = 'f') => `
  (select r.type from reactions r where r.feed_id = ${alias}.id and r.user_id = ${me} and r.comment_id is null) as my_reaction,
  (select b.id from bookmarks b where b.feed_id = ${alias}.id and b.user_id = ${me}) as my_bookmark`

/** Sort key of the order `popular`. An expression index covers it. */
export const POPULARITY = '(f.reactions_count + 2 * f.comments_count)'
const SORT_COLUMNS = ['published_at', 'active_at', 'reactions_count', 'popularity', 'title', 'slug'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** SQL columns that lists are sorted by; the feed table is `f`. */
export const sortColumns = (names: readonly SortColumn[]): string[] =>
  names.map((name) => (name === 'popularity' ? `${POPULARITY} as popularity` : `f.${name}`))

/** Columns of list rows as seen by the member with id `me` (a placeholder); the feed table is `f`. */
export const hitColumns = (me: string, version = 'null') =>
  `f.id, ${sortColumns(SORT_COLUMNS).join(', ')}, ${viewerStateColumns(me)}, ${version} as version`

/** What members write, without the message, which can be long. */
const ACCESS_FIELDS = STORED_FIELDS.flatMap((field) => (field === 'message' ? [] : [`f.${field}`])).join(', ')

const accessColumns = (
  me: string,
  version: string,
) => `f.id, f.user_id, f.parent_id, f.slug, ${ACCESS_FIELDS}, f.comments_count, f.reactions_count, f.created_at, f.updated_at, f.published_at, f.active_at, f.listed,
  s.title as s_title, s.slug as s_slug, s.type as s_type, s.privacy as s_privacy, s.status as s_status, s.settings as s_settings,
  m.role as my_role, m.status as my_status,
  case when f.privacy = 'private' and f.space_id is null then (${followsAuthor(me)}) end as follows_author,
  f.lesson_id, case when f.lesson_id is not null then (${lessonRoleOf(me)}) end as lesson_role, ${viewerStateColumns(me)}, ${version} as version`

/** All columns of a feed as seen by the member with id `me`, for the tables of `feedTables`. */
export const feedColumns = (me: string, version = 'null') =>
  `${accessColumns(me, version)}, f.message, f.message_rendered, f.edited_at, f.edited_by_moderator,
  ${PERSON_COLUMNS}`

const spaceJoins = (me: string) => `left join spaces s on s.id = f.space_id
  left join space_members m on m.space_id = f.space_id and m.user_id = ${me}`

export const feedTables = (me: string) => `feeds f join users u on u.id = f.user_id ${spaceJoins(me)}`

/** Creates the statement once for each row version column; the column depends on the database. */
const perVersionColumn = <S>(make: (version: string) => S) => {
  const statementOf = remember(make)
  return (db: Db): S => statementOf(rowVersion(db, 'f'))
}

const accessStatement = (where: string, lock = '') =>
  perVersionColumn((version) =>
    statementOne<FeedAccessRow>(`select ${accessColumns('$2', version)} from feeds f ${spaceJoins('$2')} where ${where} ${lock}`),
  )

const byId = perVersionColumn((version) =>
  statementOne<FeedFor>(`select ${feedColumns('$2', version)} from ${feedTables('$2')} where f.id = $1`),
)
const accessById = accessStatement('f.id = $1')
const accessBySlug = accessStatement('f.slug = $1')
const accessLocked = accessStatement('f.id = $1', 'for no key update of f')

export const loadFeed = (db: Db, id: number, userId: number): Promise<FeedFor | undefined> => byId(db)(db, [id, userId])

/** Loads the access data of a feed by id or slug, as seen by that member. */
export const loadFeedAccess = (db: Db, key: number | string, userId: number): Promise<FeedAccessRow | undefined> =>
  (typeof key === 'number' ? accessById(db) : accessBySlug(db))(db, [key, userId])

/**
 * Locks the row of a feed and loads its access data in one statement. Of other tables it shows the time before the lock: do not use it for
 * what the lock protects, such as the viewer's reaction.
 */
export const lockFeedAccess = async (db: Db, id: number, userId: number): Promise<FeedAccessRow | undefined> => {
  if (isSingleWriter(db)) return loadFeedAccess(db, id, userId)
  const feed = await accessLocked(db)(db, [id, userId])
  // The feed moved while the statement waited, and its space was not loaded.
  return feed && feed.space_id !== null && feed.s_status === null ? loadFeedAccess(db, id, userId) : feed
}

const accessOfPairs = batchStatement<FeedAccessRow & { readonly me: number }>(
  { feed_id: 'bigint', me: 'bigint' },
  (rows) => `select d.me, ${accessColumns('d.me', 'null')} from ${rows} d join feeds f on f.id = d.feed_id ${spaceJoins('d.me')}`,
)

/** Loads the access data for many `[feed, member]` pairs. */
export const loadFeedAccessRows = (db: Db, pairs: readonly (readonly [number, number])[]) => accessOfPairs(db, pairs)

const byIds = perVersionColumn((version) =>
  statementIn<FeedFor>((list) => `select ${feedColumns('$1', version)} from ${feedTables('$1')} where f.id in (${list})`),
)

const courseOfLesson = statementOne<{ course_id: number; settings: string }>(
  'select l.course_id, c.settings from lessons l join courses c on c.id = l.course_id where l.id = $1',
)

/** Loads several feeds with all columns, in no particular order. */
export const loadFeeds = (db: Db, ids: readonly number[], userId: number): Promise<FeedFor[]> => byIds(db)(db, ids, [userId])

export const courseOf = (db: Db, lessonId: number) => courseOfLesson(db, [lessonId])

/** Two types mean the same: a plain feed is one that is none of the others. */
export const isPlain = (type: string | undefined) => type === 'feed' || type === 'text'
export const OTHER_KINDS: readonly string[] = FEED_TYPES.filter((type) => !isPlain(type))
export const OTHER_TYPES = OTHER_KINDS.map((type) => `'${type}'`).join(', ')

export const parseMeta = (stored: string): Meta => (stored === '{}' ? {} : (JSON.parse(stored) as Meta))

export const surveyOf = (meta: Meta): Survey | null => (meta['survey'] as Survey | undefined) ?? null
