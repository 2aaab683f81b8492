import type { Value } from '../../../server/src/db/index.ts'
import { recordActivities } from '../../../transfer/src/bulk/activities.ts'
import { frameOf } from '../generator/write.ts'
import { surveyFor } from '../text.ts'
import { moment } from './moments.ts'
import { itemAt, type Steps, spaceOfPost, type Target } from './target.ts'

const REACTION = ['user_id', 'feed_id', 'comment_id', 'type', 'created_at', 'updated_at']

export async function* writeReactions(target: Target): Steps {
  const { generated, writer, firsts } = target
  for (const list of generated.reactions) {
    await writer.write('reactions', list, async ({ add, counters }, some) => {
      const rows = some.map(({ user, object_type, object, post, type, created_at }) => ({
        user: firsts.users + user,
        feed: firsts.feeds + post,
        comment: object_type === 'comment' ? firsts.comments + object : null,
        space: spaceOfPost(target, post),
        type,
        at: moment(created_at),
      }))
      if (!writer.isOneTransaction) {
        for (const { feed, comment } of rows) {
          if (comment === null) counters.add('feeds.reactions_count', feed)
          else counters.add('comments.reactions_count', comment)
        }
      }
      await add(
        'reactions',
        REACTION,
        rows.map(({ user, feed, comment, type, at }) => [user, feed, comment, type, at, at]),
      )
      await recordActivities(
        add,
        rows.map(({ user, feed, comment, space, at }) => ({
          user,
          action: 'reaction_added',
          on: comment === null ? ['feed', feed] : ['comment', comment],
          ...{ space, feed, comment, at },
        })),
      )
    })
    yield
  }
}

const BOOKMARK = ['user_id', 'feed_id', 'created_at']

export async function* writeBookmarks(target: Target): Steps {
  const { generated, writer, firsts } = target
  for (const list of generated.bookmarks) {
    await writer.write('bookmarks', list, async ({ add }, some) => {
      const rows = some.map(({ user, post, created_at }) => ({
        user: firsts.users + user,
        feed: firsts.feeds + post,
        space: spaceOfPost(target, post),
        at: moment(created_at),
      }))
      await add(
        'bookmarks',
        BOOKMARK,
        rows.map(({ user, feed, at }) => [user, feed, at]),
      )
      await recordActivities(
        add,
        rows.map(({ user, feed, space, at }) => ({ user, action: 'bookmark_added', on: ['feed', feed], space, feed, at })),
      )
    })
    yield
  }
}

const VOTE = ['feed_id', 'user_id', 'slot', 'option_slug', 'created_at']

export async function* writeVotes({ generated, writer, firsts }: Target): Steps {
  const { posts, seed } = generated.scene
  for (const list of generated.votes) {
    await writer.write('votes', list, async ({ add, counters }, some) => {
      const rows: Value[][] = []
      for (const { user, post, slots, options, created_at } of some) {
        const feed = firsts.feeds + post
        const several = surveyFor(posts.topic[post] as number, frameOf(seed, post)).allow_multiple
        counters.addVoter(feed)
        for (const [i, option] of options.entries()) {
          // A single choice always uses slot 0; multiple choices use one slot per option.
          rows.push([feed, firsts.users + user, several ? itemAt(slots, i) + 1 : 0, option, moment(created_at)])
          counters.addVote(feed, option)
        }
      }
      await add('survey_votes', VOTE, rows)
    })
    yield
  }
}
