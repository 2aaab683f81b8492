import { type Db, indexFeeds, insertRows, reserveIds, runText, updateRows, type Value } from '../../../server/src/db/index.ts'
import type { Comment, Post } from '../plan/rows.ts'
import { freeSlugs } from './free-names.ts'
import type { WriteLimit } from './pace.ts'
import { moment, placeOf, raise, recordActivities, type Scene, tally } from './placed.ts'
import { fileFeeds } from './topics.ts'
import { finishComment, finishPost } from './words.ts'

export const FEED = [
  ...['id', 'user_id', 'space_id', 'listed', 'privacy', 'published_at', 'active_at', 'type', 'content_type', 'created_at', 'updated_at'],
  ...['slug', 'title', 'meta', 'message', 'message_rendered'],
]

const preparePost = (post: Post, { placed, renaming }: Scene) => ({
  ...finishPost(post, post.meta.survey !== undefined, renaming),
  user: placeOf(placed.users, post.author),
  space: post.space === null ? null : placeOf(placed.spaces, post.space),
  at: moment(post.created_at),
  privacy: post.privacy,
  type: post.type,
  survey: post.meta.survey ?? null,
  meta: JSON.stringify(post.meta),
  topics: post.topics.map((topic) => placeOf(placed.topics, topic)),
})

type Prepared = ReturnType<typeof preparePost>

/** Increments the stored totals of lists. */
const countListed = async (db: Db, feeds: readonly Prepared[]) => {
  for (const [place, n] of tally(feeds, ({ space, privacy }) => `${space ?? 0} ${privacy}`)) {
    const [space, privacy = ''] = place.split(' ')
    await runText(
      db,
      `insert into listed_feed_counts (space_id, privacy, feeds_count) values ($1, $2, $3)
       on conflict (space_id, privacy) do update set feeds_count = listed_feed_counts.feeds_count + excluded.feeds_count`,
      [Number(space), privacy, n],
    )
  }
  const inSpaces = tally(
    feeds.flatMap(({ space }) => (space === null ? [] : [space])),
    (space) => space,
  )
  await raise(db, ['spaces', 'posts_count'], inSpaces)
}

const insertSurveys = async (db: Db, feeds: readonly (Prepared & { id: number })[]) => {
  const surveys = feeds.flatMap(({ id, survey }) => (survey ? [{ id, survey }] : []))
  await insertRows(
    db,
    'surveys',
    ['feed_id'],
    surveys.map(({ id }) => [id]),
  )
  await insertRows(
    db,
    'survey_options',
    ['feed_id', 'slug'],
    surveys.flatMap(({ id, survey }) => survey.options.map(({ slug }): Value[] => [id, slug])),
  )
}

export const insertPosts = (pace: WriteLimit, posts: readonly Post[], scene: Scene) => {
  const { placed } = scene
  const prepared = posts.map((post) => preparePost(post, scene))
  return pace(prepared, {
    kind: 'posts',
    write: async (db, piece) => {
      const ids = await reserveIds(db, 'feeds', piece.length)
      const slugs = await freeSlugs(
        db,
        'feeds',
        piece.map((feed) => feed.slug),
        placed.feeds.length,
      )
      const feeds = piece.map((feed, i) => ({ ...feed, id: placeOf(ids, i), slug: placeOf(slugs, i) }))
      await insertRows(
        db,
        'feeds',
        FEED,
        feeds.map(({ id, user, space, privacy, at, type, content_type, slug, title, meta, message, html }) => [
          ...[id, user, space, 1, privacy, at, at, type, content_type, at, at],
          ...[slug, title, meta, message, html],
        ]),
      )
      await indexFeeds(db, feeds)
      await insertSurveys(db, feeds)
      await countListed(db, feeds)
      await fileFeeds(db, feeds)
      await recordActivities(
        db,
        feeds.map(({ id, user, space, at }) => ({ user, action: 'post_created', on: ['feed', id], space, feed: id, at })),
      )
      return ids
    },
    written: (ids, piece) => {
      ids.forEach((id, i) => {
        const { space, survey } = placeOf(piece, i)
        if (survey) placed.surveys.set(placed.feeds.length, survey.allow_multiple)
        placed.feeds.push(id)
        placed.feedSpaces.push(space)
      })
    },
  })
}

export const COMMENT = ['id', 'user_id', 'post_id', 'parent_id', 'message', 'message_rendered', 'created_at', 'updated_at']

/** Updates comment counts and last activity of the feeds. */
const countComments = (db: Db, comments: readonly { readonly feed: number; readonly at: string }[]) => {
  const last = new Map(comments.map(({ feed, at }) => [feed, at]))
  const counts = tally(comments, ({ feed }) => feed)
  return updateRows(
    db,
    'feeds',
    { id: 'bigint', n: 'bigint', last: 'text' },
    'comments_count = comments_count + d.n, active_at = case when active_at < d.last then d.last else active_at end',
    'feeds.id = d.id',
    [...counts].map(([feed, n]) => [feed, n, last.get(feed) ?? null]),
  )
}

export const insertComments = (pace: WriteLimit, comments: readonly Comment[], { placed, renaming }: Scene) => {
  const prepared = comments.map(({ author, post, parent, message, created_at }) => {
    const { text, html } = finishComment(message, renaming)
    return {
      user: placeOf(placed.users, author),
      feed: placeOf(placed.feeds, post),
      space: placeOf(placed.feedSpaces, post),
      parent,
      text,
      html,
      at: moment(created_at),
    }
  })
  return pace(prepared, {
    kind: 'comments',
    write: async (db, piece) => {
      const ids = await reserveIds(db, 'comments', piece.length)
      const before = placed.comments.length
      // A reply may be in the same batch as its parent.
      const parentId = (index: number) => (index < before ? placeOf(placed.comments, index) : placeOf(ids, index - before))
      await insertRows(
        db,
        'comments',
        COMMENT,
        piece.map(({ user, feed, parent, text, html, at }, i) => [
          ...[placeOf(ids, i), user, feed, parent === null ? null : parentId(parent)],
          ...[text, html, at, at],
        ]),
      )
      await countComments(db, piece)
      await recordActivities(
        db,
        piece.map(({ user, feed, space, at }, i) => {
          const id = placeOf(ids, i)
          return { user, action: 'comment_added', on: ['comment', id], space, feed, comment: id, at }
        }),
      )
      return ids
    },
    written: (ids) => placed.comments.push(...ids),
  })
}
