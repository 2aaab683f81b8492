import { type Db, parameters, runText, statementOne } from '../../db/index.ts'
import type { Actor } from '../../platform/context.ts'
import { visibleFeeds } from '../feeds/index.ts'

export interface ProfileRow {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly display_name: string
  readonly first_name: string
  readonly last_name: string
  readonly short_description: string
  readonly location: string
  readonly website: string
  readonly avatar: string
  readonly cover_photo: string
  readonly social_links: string
  readonly badge_slugs: string
  readonly is_verified: 0 | 1
  readonly is_private: 0 | 1
  readonly status: 'active' | 'suspended' | 'banned'
  readonly total_points: number
  readonly followers_count: number
  readonly followings_count: number
  readonly created_at: string
  readonly updated_at: string
  readonly last_activity: string | null
  readonly manager_role: string | null
}

const byName = statementOne<ProfileRow>(
  `select u.id, u.username, u.email, u.display_name, u.first_name, u.last_name, u.short_description, u.location, u.website, u.avatar,
   u.cover_photo, u.social_links, u.badge_slugs, u.is_verified, u.is_private, u.status, u.total_points, u.followers_count,
   u.followings_count, u.created_at, u.updated_at, u.last_activity, m.role as manager_role
   from users u left join managers m on m.user_id = u.id and m.status = 'active' where u.username = $1`,
)
export const profileByName = (db: Db, username: string) => byName(db, [username])

/** Counting stops here: what a caller may see cannot be kept, and a profile must not cost more the more somebody writes. */
const MOST_COUNTED = 1000

const counted = (rows: string) => `select count(*) as n from (select 1 from ${rows} limit ${MOST_COUNTED}) as p1`

/** How many published feeds and comments of a person the caller may see. */
export const countWritings = async (db: Db, actor: Actor, userId: number): Promise<{ posts: number; comments: number }> => {
  const feeds = parameters()
  const posts = counted(`feeds f where f.user_id = ${feeds.p(userId)} and f.status = 'published' and ${visibleFeeds(actor, feeds.p)}`)
  const answers = parameters()
  const comments = counted(
    `comments c join feeds f on f.id = c.post_id
     where c.user_id = ${answers.p(userId)} and c.status = 'published' and ${visibleFeeds(actor, answers.p)}`,
  )
  const [[ofFeeds], [ofComments]] = await Promise.all([
    runText<{ n: number }>(db, posts, feeds.values),
    runText<{ n: number }>(db, comments, answers.values),
  ])
  return { posts: ofFeeds?.n ?? 0, comments: ofComments?.n ?? 0 }
}
