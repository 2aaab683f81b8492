import { type Db, searchEntry, updateRows, type Value } from '../../../server/src/db/index.ts'
import { type NewActivity, recordActivities } from '../../../transfer/src/bulk/activities.ts'
import type { Comment, Post } from '../generator/rows.ts'
import { freeSlugs } from './free-names.ts'
import { moment } from './moments.ts'
import { itemAt, spaceOfPost, type Target } from './target.ts'
import type { CommentWords, PostWords } from './words.ts'

/** Iterates over generated rows. */
const readerOf = <Row>(lists: Iterable<readonly Row[]>) => {
  const left = lists[Symbol.iterator]()
  let list: readonly Row[] = []
  let at = 0
  return (): Row => {
    if (at === list.length) {
      list = left.next().value ?? []
      at = 0
    }
    return itemAt(list, at++)
  }
}

const FEED = [
  ...['id', 'user_id', 'space_id', 'listed', 'privacy', 'published_at', 'active_at', 'type', 'content_type', 'created_at', 'updated_at'],
  ...['slug', 'title', 'meta', 'message', 'message_rendered', 'comments_count', 'reactions_count'],
]

/** Takes the words of posts in the order of the generator. `slugs`: the slugs of all feeds; without them, the database is asked. */
export const postWriter = (target: Target, slugs?: Set<string>) => {
  const { generated, writer, firsts, spaces, topics } = target
  const next = readerOf<Post>(generated.posts)
  return (words: readonly PostWords[]) => {
    const posts = words.map((post) => ({ ...post, ...next() }))
    return writer.write('posts', posts, async ({ db, add, counters }, some, from) => {
      const free = await freeSlugs(
        db,
        'feeds',
        some.map(({ slug }) => slug),
        from,
        slugs,
      )
      const feeds: Value[][] = []
      const entries: Value[][] = []
      const filed: Value[][] = []
      const surveys: Value[][] = []
      const options: Value[][] = []
      const activities: NewActivity[] = []
      for (const [i, post] of some.entries()) {
        const id = firsts.feeds + from + i
        const user = firsts.users + post.author
        const space = post.space === null ? null : itemAt(spaces, post.space)
        const at = moment(post.created_at)
        const { comments_count, reactions_count, active_at } = writer.isOneTransaction
          ? post
          : { comments_count: 0, reactions_count: 0, active_at: post.created_at }
        feeds.push([
          ...[id, user, space, 1, post.privacy, at, moment(active_at), post.type, post.content_type, at, at, itemAt(free, i), post.title],
          ...[JSON.stringify(post.survey ? { survey: post.survey } : {}), post.message, post.html, comments_count, reactions_count],
        ])
        entries.push(searchEntry(db, id, post.document))
        counters.addListed(space, post.privacy)
        if (space !== null) counters.add('spaces.posts_count', space)
        for (const [position, index] of post.topics.entries()) {
          const topic = itemAt(topics, index)
          filed.push([id, topic, position, at])
          counters.add('topics.posts_count', topic)
        }
        if (post.survey) {
          surveys.push([id])
          for (const option of post.survey.options) options.push([id, option.slug])
        }
        activities.push({ user, action: 'post_created', on: ['feed', id], space, feed: id, at })
      }
      await add('feeds', FEED, feeds)
      await add('feed_search', ['rowid', 'document'], entries)
      await add('feed_topics', ['feed_id', 'topic_id', 'position', 'published_at'], filed)
      await add('surveys', ['feed_id'], surveys)
      await add('survey_options', ['feed_id', 'slug'], options)
      await recordActivities(add, activities)
    })
  }
}

const COMMENT = ['id', 'user_id', 'post_id', 'parent_id', 'message', 'message_rendered', 'created_at', 'updated_at', 'reactions_count']

/** Updates comment counts and last activity of the feeds. */
const countComments = (db: Db, comments: readonly { readonly feed: number; readonly at: string }[]) => {
  const feeds = new Map<number, { n: number; last: string }>()
  for (const { feed, at } of comments) feeds.set(feed, { n: (feeds.get(feed)?.n ?? 0) + 1, last: at })
  return updateRows(
    db,
    'feeds',
    { id: 'bigint', n: 'bigint', last: 'text' },
    'comments_count = comments_count + d.n, active_at = case when active_at < d.last then d.last else active_at end',
    'feeds.id = d.id',
    [...feeds].map(([feed, { n, last }]) => [feed, n, last]),
  )
}

/** Takes the words of comments in the order of the generator. */
export const commentWriter = (target: Target) => {
  const { generated, writer, firsts } = target
  const next = readerOf<Comment>(generated.comments)
  return (words: readonly CommentWords[]) => {
    const comments = words.map((comment) => ({ ...comment, ...next() }))
    return writer.write('comments', comments, async ({ db, add }, some, from) => {
      const rows = some.map(({ author, post, created_at, ...comment }, i) => ({
        ...comment,
        id: firsts.comments + from + i,
        user: firsts.users + author,
        feed: firsts.feeds + post,
        space: spaceOfPost(target, post),
        at: moment(created_at),
      }))
      await add(
        'comments',
        COMMENT,
        rows.map(({ id, user, feed, parent, text, html, at, reactions_count }) => [
          ...[id, user, feed, parent === null ? null : firsts.comments + parent, text, html, at, at],
          writer.isOneTransaction ? reactions_count : 0,
        ]),
      )
      if (!writer.isOneTransaction) await countComments(db, rows)
      await recordActivities(
        add,
        rows.map(({ id, user, feed, space, at }) => ({ user, action: 'comment_added', on: ['comment', id], space, feed, comment: id, at })),
      )
    })
  }
}
