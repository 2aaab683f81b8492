import { type Db, limitTo, parameters, runText } from '../../db/index.ts'
import type { Actor } from '../../platform/context.ts'
import { type CommentFor, commentColumns, commentTables } from '../comments/view.ts'
import { visibleFeeds } from '../feeds/index.ts'

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

/** A comment with the feed it was made on. */
export interface CommentInFeed extends CommentFor {
  readonly post_title: string
  readonly post_slug: string
  readonly s_slug: string | null
}

const shown = (actor: Actor, userId: number, p: (value: number) => string) =>
  `c.user_id = ${p(userId)} and c.status = 'published' and ${visibleFeeds(actor, p)}`

/** A page of somebody's published comments on feeds that the caller may see, newest first. */
export const commentsOf = (db: Db, actor: Actor, userId: number, page: { limit: number; offset: number }): Promise<CommentInFeed[]> => {
  const { values, p } = parameters()
  const columns = `${commentColumns(p(actor.id))}, f.title as post_title, f.slug as post_slug, s.slug as s_slug`
  const text = `select ${columns} from ${commentTables} join feeds f on f.id = c.post_id left join spaces s on s.id = f.space_id
    where ${shown(actor, userId, p)} order by c.created_at desc, c.id desc ${limitTo(db, page.limit, page.offset, p)}`
  return runText<CommentInFeed>(db, text, values)
}

/** How many such comments there are. */
export const countCommentsOf = async (db: Db, actor: Actor, userId: number): Promise<number> => {
  const { values, p } = parameters()
  const text = `select count(*) as n from comments c join feeds f on f.id = c.post_id where ${shown(actor, userId, p)}`
  const [row] = await runText<{ n: number }>(db, text, values)
  return row?.n ?? 0
}
