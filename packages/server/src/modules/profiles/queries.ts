import { type Db, parameters, runText } from '../../db/index.ts'
import type { Actor } from '../../platform/context.ts'
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
