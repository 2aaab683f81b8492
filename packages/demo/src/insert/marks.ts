import { type Db, insertRows, updateRows, type Value } from '../../../server/src/db/index.ts'
import type { Bookmark, Reaction, Vote } from '../plan/rows.ts'
import type { WriteLimit } from './pace.ts'
import { moment, placeOf, raise, recordActivities, type Scene, tally } from './placed.ts'

export const REACTION = ['user_id', 'feed_id', 'comment_id', 'type', 'created_at', 'updated_at']

const commentsOf = (rows: readonly { readonly comment: number | null }[]) =>
  rows.flatMap(({ comment }) => (comment === null ? [] : [comment]))

export const insertReactions = (pace: WriteLimit, reactions: readonly Reaction[], { placed }: Scene) =>
  pace(reactions, {
    kind: 'reactions',
    write: async (db, piece) => {
      const rows = piece.map(({ user, object_type, object, post, type, created_at }) => ({
        user: placeOf(placed.users, user),
        feed: placeOf(placed.feeds, post),
        space: placeOf(placed.feedSpaces, post),
        comment: object_type === 'comment' ? placeOf(placed.comments, object) : null,
        type,
        at: moment(created_at),
      }))
      await insertRows(
        db,
        'reactions',
        REACTION,
        rows.map(({ user, feed, comment, type, at }) => [user, feed, comment, type, at, at]),
      )
      const onFeeds = rows.filter(({ comment }) => comment === null)
      await raise(
        db,
        ['feeds', 'reactions_count'],
        tally(onFeeds, ({ feed }) => feed),
      )
      await raise(
        db,
        ['comments', 'reactions_count'],
        tally(commentsOf(rows), (comment) => comment),
      )
      await recordActivities(
        db,
        rows.map(({ user, feed, comment, space, at }) => ({
          user,
          action: 'reaction_added',
          on: comment === null ? ['feed', feed] : ['comment', comment],
          space,
          feed,
          ...(comment !== null && { comment }),
          at,
        })),
      )
    },
  })

export const BOOKMARK = ['user_id', 'feed_id', 'created_at']

export const insertBookmarks = (pace: WriteLimit, bookmarks: readonly Bookmark[], { placed }: Scene) =>
  pace(bookmarks, {
    kind: 'bookmarks',
    write: async (db, piece) => {
      const rows = piece.map(({ user, post, created_at }) => ({
        user: placeOf(placed.users, user),
        feed: placeOf(placed.feeds, post),
        space: placeOf(placed.feedSpaces, post),
        at: moment(created_at),
      }))
      await insertRows(
        db,
        'bookmarks',
        BOOKMARK,
        rows.map(({ user, feed, at }) => [user, feed, at]),
      )
      await recordActivities(
        db,
        rows.map(({ user, feed, space, at }) => ({ user, action: 'bookmark_added', on: ['feed', feed], space, feed, at })),
      )
    },
  })

export const VOTE = ['feed_id', 'user_id', 'slot', 'option_slug', 'created_at']

const countVotes = async (db: Db, voters: ReadonlyMap<number, number>, votes: readonly (readonly Value[])[]) => {
  await updateRows(db, 'surveys', { id: 'bigint', n: 'bigint' }, 'voters = voters + d.n', 'surveys.feed_id = d.id', [...voters])
  const counts = tally(votes, ([feed, , , option]) => `${feed} ${option}`)
  const rows = [...counts].map(([key, n]): Value[] => [Number(key.slice(0, key.indexOf(' '))), key.slice(key.indexOf(' ') + 1), n])
  const where = 'survey_options.feed_id = d.id and survey_options.slug = d.option'
  await updateRows(db, 'survey_options', { id: 'bigint', option: 'text', n: 'bigint' }, 'votes = votes + d.n', where, rows)
}

export const insertVotes = (pace: WriteLimit, votes: readonly Vote[], { placed }: Scene) =>
  pace(votes, {
    kind: 'votes',
    write: async (db, piece) => {
      const rows = piece.flatMap(({ user, post, slots, options, created_at }) => {
        const several = placed.surveys.get(post) ?? false
        const vote = [placeOf(placed.feeds, post), placeOf(placed.users, user)] as const
        // A single choice always uses slot 0; multiple choices use one slot per option.
        return options.map((option, i): Value[] => [...vote, several ? placeOf(slots, i) + 1 : 0, option, moment(created_at)])
      })
      await insertRows(db, 'survey_votes', VOTE, rows)
      await countVotes(
        db,
        tally(piece, ({ post }) => placeOf(placed.feeds, post)),
        rows,
      )
    },
  })
