import { REVISED_FIELDS } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { type Db, type Placeholder, selectRows, statement, statementOne } from '../../db/index.ts'
import { BOOKMARK_COLUMNS } from '../bookmarks/index.ts'
import { feedTables, STORED_FIELDS, visibleFeeds } from '../feeds/index.ts'

export type Row = Readonly<Record<string, unknown>>

export interface ExportContext {
  readonly userId: number
  /** Null while the account is suspended, and so cannot see anything. */
  readonly actor: Actor | null
  readonly origin: string
}

export interface Section {
  readonly file: string
  readonly about: string
  /** A batch of rows in the order of ids, after an id. */
  readonly rows: (db: Db, about: ExportContext, after: number, limit: number) => Promise<Row[]>
  readonly view?: (row: Row) => Row
}

const parsed =
  (...names: string[]) =>
  (row: Row): Row => ({ ...row, ...Object.fromEntries(names.map((name) => [name, JSON.parse(String(row[name] || 'null'))])) })

/** For rows whose `id` serves only for paging. */
const withoutId = ({ id: _id, ...row }: Row): Row => row

/** `select` is SQL without its first word. Its first column, the `id`, is for paging; it ends with a condition on `$1`, the member. */
const section = (file: string, about: string, select: string, view?: Section['view']): Section => {
  const key = select.slice(0, select.search(/ as id|,/))
  const run = statement<Row>(`select ${select} and ${key} > $2 order by ${key} limit $3`)
  return { file, about, rows: (db, { userId }, after, limit) => run(db, [userId, after, limit]), ...(view && { view }) }
}

const account = statementOne<Row>(
  `select id, username, email, display_name, first_name, last_name, short_description, location, website, avatar, cover_photo, social_links,
   badge_slugs, lang, is_verified, is_private, status, total_points, followers_count, followings_count, created_at, updated_at, last_activity
   from users where id = $1 and status <> 'deleted'`,
)
export const accountOf = async (db: Db, userId: number): Promise<Row | undefined> => {
  const row = await account(db, [userId])
  return row && parsed('social_links', 'badge_slugs')(row)
}

export const uploadsAfter = statement<Row>(
  `select id, file_name, store, path from media where user_id = $1 and status <> 'deleted' and id > $2 order by id limit $3`,
)

/** Title and slug of feed `f`; null unless the member can see the feed now. */
const shownFeed = ({ actor }: ExportContext, p: Placeholder) => {
  const seen = actor ? visibleFeeds(actor, p) : '1 = 0'
  return `case when ${seen} then f.title end as title, case when ${seen} then f.slug end as slug`
}

/** Rows `x` about feeds, which may be by other authors. */
const aboutFeeds = (file: string, about: string, columns: string, table: string): Section => ({
  file,
  about,
  rows: (db, asking, after, limit) =>
    selectRows<Row>(db, (p) => {
      const me = p(asking.userId)
      return `select ${columns}, ${shownFeed(asking, p)} from ${feedTables(me)} join ${table} x on x.feed_id = f.id
        where x.user_id = ${me} and x.id > ${p(after)} order by x.id limit ${p(limit)}`
    }),
})

/** Columns of `feeds` and `comments` that are not part of the export, with the reason. */
export const NOT_EXPORTED: Readonly<Record<'feeds' | 'comments', Readonly<Record<string, string>>>> = {
  feeds: {
    user_id: 'the member',
    parent_id: 'always null',
    message_rendered: 'follows from message and content_type',
    priority: 'set by those who feature posts',
    active_at: 'follows from comments and edits',
    listed: 'follows from status and expired_at',
    edited_at: 'the edits are in edits_by_moderators',
    edited_by_moderator: 'the edits are in edits_by_moderators',
  },
  comments: {
    user_id: 'the member',
    message_rendered: 'follows from message and content_type',
    type: 'the same for all comments',
    is_sticky: 'set by moderators',
    helpful_by: 'identifies another member',
    edited_at: 'the edits are in edits_by_moderators',
    edited_by_moderator: 'the edits are in edits_by_moderators',
  },
}

const FEED_COLUMNS = [
  'id',
  'slug',
  ...STORED_FIELDS.filter((field) => !(field in NOT_EXPORTED.feeds)),
  ...['lesson_id', 'comments_count', 'reactions_count', 'created_at', 'updated_at', 'published_at'],
].join(', ')

const OWN_BOOKMARK = BOOKMARK_COLUMNS.flatMap((column) => (column === 'user_id' ? [] : [`x.${column}`])).join(', ')

const PERSON = 'u.username, u.display_name, f.status, f.created_at from followers f join users u'

/** The data of a member, in the order of the export. Contains no secrets, no quiz keys and nothing private to others. */
export const SECTIONS: readonly Section[] = [
  section('feeds', 'Posts that you wrote, drafts included', `${FEED_COLUMNS} from feeds where user_id = $1`, parsed('meta')),
  section(
    'comments',
    'Comments that you wrote',
    `id, post_id as feed_id, parent_id, message, content_type, status, reactions_count, meta, created_at, updated_at, helpful_at
     from comments where user_id = $1`,
    parsed('meta'),
  ),
  section(
    'edits_by_moderators',
    'What you wrote before a moderator edited it, and why it was edited',
    `id, feed_id, comment_id, ${REVISED_FIELDS.join(', ')}, reason, created_at from content_revisions where author_id = $1`,
    parsed('meta'),
  ),
  aboutFeeds('reactions', 'Your reactions', 'x.id, x.type, x.feed_id, x.comment_id, x.ip_address, x.created_at, x.updated_at', 'reactions'),
  aboutFeeds('bookmarks', 'Your bookmarks', OWN_BOOKMARK, 'bookmarks'),
  section(
    'survey_votes',
    'Your votes in surveys',
    'feed_id * 1000 + slot as id, feed_id, option_slug, created_at from survey_votes where user_id = $1',
    withoutId,
  ),
  section(
    'following',
    'People whom you follow, or asked to follow',
    `f.id, f.following_id as user_id, ${PERSON} on u.id = f.following_id where f.follower_id = $1`,
  ),
  section(
    'followers',
    'People who follow you, or asked to',
    `f.id, f.follower_id as user_id, ${PERSON} on u.id = f.follower_id where f.following_id = $1`,
  ),
  section(
    'memberships',
    'Spaces that you are in, asked for, or were banned from',
    `m.id, m.space_id, case when m.status = 'active' then s.title end as title, m.role, m.status, m.joined_at, m.updated_at
     from space_members m join spaces s on s.id = m.space_id where m.user_id = $1`,
  ),
  section(
    'courses',
    'Courses that you are enrolled in, and how far you are',
    `e.id, e.course_id, c.title, e.enrolled_at, e.last_accessed_at, e.last_lesson_id, e.completed_lessons, e.progress, e.completed_at
     from enrolments e join courses c on c.id = e.course_id where e.user_id = $1`,
  ),
  section(
    'course_completions',
    'Courses that you completed, with your certificates',
    'course_id as id, completed_at, certificate_code, certificate_at from course_completions where user_id = $1',
  ),
  section(
    'lesson_completions',
    'Lessons that you completed',
    'lesson_id as id, course_id, completed_at from lesson_completions where user_id = $1',
  ),
  section(
    'quiz_attempts',
    'Quizzes that you took, with your answers',
    `id, course_id, lesson_id, attempt_number, status, answers, score, points_earned, points_possible, passed, time_spent, late, started_at,
     submitted_at, graded_at, feedback from quiz_attempts where user_id = $1`,
    parsed('answers'),
  ),
  section(
    'notifications',
    'What you were told of',
    `id, type, object_id, object_type, space_id, feed_id, comment_id, is_read, read_at, created_at
     from notifications where user_id = $1 and removed = 0`,
  ),
  section(
    'activities',
    'What you did, as others are told of it',
    'id, action_type, object_id, object_type, space_id, feed_id, comment_id, created_at from activities where user_id = $1',
  ),
  section(
    'points',
    'Points that you earned',
    'id, kind, points, space_id, feed_id, comment_id, day, created_at from points_ledger where user_id = $1',
  ),
  section('achievements', 'What you reached', 'id, code, earned_at from achievements where user_id = $1'),
  section(
    'reports',
    'Reports that you made',
    'id, object_type, object_id, reason, description, status, created_at, updated_at from reports where reporter_id = $1',
  ),
  section(
    'media',
    'Files that you uploaded',
    `id, file_name, file_type, file_size, width, height, object_source, object_id, created_at
     from media where user_id = $1 and status <> 'deleted'`,
  ),
  section(
    'preferences',
    'How you want to be told; what you did not change is as it is by default',
    'user_id as id, email, push, digest_frequency, updated_at from notification_preferences where user_id = $1',
    (row) => withoutId(parsed('email', 'push')(row)),
  ),
  section(
    'sessions',
    'Where you are signed in',
    'id, created_at, last_used_at, expires_at, ip, user_agent from sessions where user_id = $1',
  ),
  section(
    'failed_sign_ins',
    'When somebody failed to sign in to your account, and from which network',
    'id, network, created_at from sign_in_failures where user_id = $1',
  ),
  section(
    'application_passwords',
    'Your application passwords, without the passwords',
    'id, name, created_at, last_used_at, last_ip from application_passwords where user_id = $1',
  ),
  section(
    'devices',
    'Devices that get push messages',
    'id, user_agent, created_at, last_used_at from push_subscriptions where user_id = $1',
  ),
  section(
    'role',
    'What you may do for the community',
    'user_id as id, role, permissions, all_spaces, status, created_at, updated_at from managers where user_id = $1',
    (row) => withoutId(parsed('permissions')(row)),
  ),
  section(
    'exports',
    'Data exports like this one',
    'id, status, size, created_at, completed_at, expires_at from data_exports where user_id = $1',
  ),
]
