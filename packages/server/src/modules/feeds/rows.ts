import { type Db, statementOne } from '../../db/index.ts'
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
  readonly my_reaction: string | null
  readonly my_bookmark: number | null
}

/** Columns of a feed as the member whose id stands in `me` (a placeholder) sees it; the tables are f, u, s and m. */
export const feedColumns = (me: string) => `f.id, f.user_id, f.parent_id, f.title, f.slug, f.message, f.message_rendered, f.type, f.content_type,
  f.space_id, f.privacy, f.status, f.featured_image, f.meta, f.is_sticky, f.comments_count, f.reactions_count, f.priority, f.expired_at,
  f.scheduled_at, f.created_at, f.updated_at, f.published_at, f.active_at, f.listed, ${PERSON_COLUMNS},
  s.title as s_title, s.slug as s_slug, s.type as s_type, s.privacy as s_privacy, s.status as s_status, s.settings as s_settings,
  m.role as my_role, m.status as my_status,
  (select r.type from reactions r where r.feed_id = f.id and r.user_id = ${me} and r.comment_id is null) as my_reaction,
  (select b.id from bookmarks b where b.feed_id = f.id and b.user_id = ${me}) as my_bookmark`

export const feedTables = (me: string) => `feeds f join users u on u.id = f.user_id left join spaces s on s.id = f.space_id
  left join space_members m on m.space_id = f.space_id and m.user_id = ${me}`

const byId = statementOne<FeedFor>(`select ${feedColumns('$2')} from ${feedTables('$2')} where f.id = $1`)
const bySlug = statementOne<FeedFor>(`select ${feedColumns('$2')} from ${feedTables('$2')} where f.slug = $1`)

export const loadFeed = (db: Db, key: number | string, userId: number): Promise<FeedFor | undefined> =>
  typeof key === 'number' ? byId(db, [key, userId]) : bySlug(db, [key, userId])
