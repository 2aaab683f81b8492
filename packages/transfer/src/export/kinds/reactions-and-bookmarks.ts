import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { BookmarkRow, FollowerRow, ReactionRow } from '../../../../server/src/db/index.ts'
import { listing } from '../context.ts'
import { filled } from '../filled.ts'

type Reaction = ArchiveRecord<'reactions'>

/** Excludes the IP address of the reaction. */
export const reactions = listing<ReactionRow, 'reactions'>({
  columns: 'r.user_id, r.feed_id, r.comment_id, r.type, r.created_at',
  from: 'reactions r join feeds f on f.id = r.feed_id where (f.lesson_id is null or r.comment_id is not null)',
  key: 'r.id',
  inSpace: (space) => `f.space_id = ${space} and f.status <> 'draft'`,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({
      people: rows.map(({ user_id }) => user_id),
      posts: rows.map(({ feed_id, comment_id }) => (comment_id === null ? feed_id : null)),
      comments: rows.map(({ comment_id }) => comment_id),
    })
    return rows.map((row): Reaction => {
      const person = ids.of('people', row.user_id)
      const comment = ids.ifAny('comments', row.comment_id)
      const place = comment === undefined ? { post: ids.of('posts', row.feed_id) } : { comment }
      const of = comment === undefined ? `post ${place.post}` : `comment ${comment}`
      return { id: `${of}/${person}`, person, ...place, type: row.type as Reaction['type'], created_at: row.created_at }
    })
  },
})

export const bookmarks = listing<BookmarkRow, 'bookmarks'>({
  columns: 'b.user_id, b.feed_id, b.created_at',
  from: 'bookmarks b join feeds f on f.id = b.feed_id where f.lesson_id is null',
  key: 'b.id',
  inSpace: null,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({ people: rows.map(({ user_id }) => user_id), posts: rows.map(({ feed_id }) => feed_id) })
    return rows.map((row): ArchiveRecord<'bookmarks'> => {
      const [post, person] = [ids.of('posts', row.feed_id), ids.of('people', row.user_id)]
      return { id: `${post}/${person}`, person, post, created_at: row.created_at }
    })
  },
})

export const follows = listing<FollowerRow, 'follows'>({
  columns: 'x.follower_id, x.following_id, x.status, x.created_at, x.updated_at',
  from: 'followers x where 1 = 1',
  key: 'x.id',
  inSpace: null,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({ people: rows.flatMap(({ follower_id, following_id }) => [follower_id, following_id]) })
    return rows.map((row): ArchiveRecord<'follows'> => {
      const [follower, following] = [ids.of('people', row.follower_id), ids.of('people', row.following_id)]
      const { status, created_at, updated_at } = row
      return { id: `${follower}/${following}`, follower, following, status, created_at, ...filled({ updated_at }) }
    })
  },
})
