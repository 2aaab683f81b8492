import type { Actor } from '../../../core/context.ts'
import { countRows, type Db, limitTo, type PageWindow, type Placeholder, selectRows } from '../../../db/index.ts'
import { type CommentFor, commentColumns, commentTables } from '../../comments/view.ts'
import { visibleFeeds } from '../../feeds/index.ts'

/** Counts stop here: they depend on the caller, so they are not stored, and a profile must not cost more the more its owner writes. */
const MAX_COUNT = 1000
/** Only this many of the newest are scanned. */
const MAX_SCANNED = 5000

/** Visibility is checked once per space and privacy, not once per feed. */
const feedsCounted = (actor: Actor, userId: number, p: Placeholder) =>
  `select sum(p2.n) as n from (select p1.space_id, p1.privacy, p1.user_id, 1 as listed, count(*) as n from (select f.space_id, f.privacy, f.user_id
    from feeds f where f.user_id = ${p(userId)} and f.listed = 1 order by f.published_at desc, f.id desc limit ${MAX_SCANNED}) p1
    group by p1.space_id, p1.privacy, p1.user_id) p2 where ${visibleFeeds(actor, p, 'p2')}`

const commentsCounted = (actor: Actor, userId: number, p: Placeholder) =>
  `select sum(p2.n) as n from (select p1.post_id, count(*) as n from (select c.post_id from comments c
    where c.user_id = ${p(userId)} and c.status = 'published' order by c.created_at desc, c.id desc limit ${MAX_SCANNED}) p1
    group by p1.post_id) p2 join feeds f on f.id = p2.post_id where ${visibleFeeds(actor, p)}`

/** Numbers of published feeds and comments of a member that the caller may see. */
export const countContributions = async (db: Db, actor: Actor, userId: number): Promise<{ posts: number; comments: number }> => {
  const count = async (text: typeof feedsCounted) => {
    const [row] = await selectRows<{ n: number | null }>(db, (p) => text(actor, userId, p))
    return Math.min(Number(row?.n ?? 0), MAX_COUNT)
  }
  const [posts, comments] = await Promise.all([count(feedsCounted), count(commentsCounted)])
  return { posts, comments }
}

export interface CommentInFeed extends CommentFor {
  readonly post_title: string
  readonly post_slug: string
  readonly s_slug: string | null
}

/** A page of a member's published comments on feeds visible to the caller, newest first, and their total number. */
export const commentsOf = async (db: Db, actor: Actor, userId: number, { limit, offset }: PageWindow) => {
  const where = (p: Placeholder) => `c.user_id = ${p(userId)} and c.status = 'published' and ${visibleFeeds(actor, p)}`
  const [rows, total] = await Promise.all([
    selectRows<CommentInFeed>(
      db,
      (p) => `select ${commentColumns(p(actor.id))}, f.title as post_title, f.slug as post_slug, s.slug as s_slug
        from ${commentTables} join feeds f on f.id = c.post_id left join spaces s on s.id = f.space_id
        where ${where(p)} order by c.created_at desc, c.id desc ${limitTo(db, limit, offset, p)}`,
    ),
    countRows(db, (p) => `comments c join feeds f on f.id = c.post_id where ${where(p)}`),
  ])
  return { rows, total }
}
