import type { Recording } from './recording.ts'

export const reactions: Recording = async (_recorder, { ben, mara, yuki }) => {
  const { data: feed } = await ben.api.feeds.bySlug({ feed_slug: 'seed-swap-in-april' })
  const { comments } = await ben.api.comments.list({ feed_id: feed.id })
  const question = comments[0]!
  const { data } = await mara.show().reactions.toFeed({ feed_id: feed.id, type: 'love' })
  await yuki.api.reactions.toFeed({ feed_id: feed.id, type: 'like' })
  await yuki.show('The same again').reactions.toFeed({ feed_id: feed.id, type: 'like' })
  await yuki.show('A bookmark').reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark' })
  await mara.api.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark' })
  await mara.show('A bookmark is removed').reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark', remove: true })
  await ben.show().reactions.toComment({ feed_id: feed.id, comment_id: question.id, type: 'like' })
  await ben.show().reactions.ofFeed({ feed_id: feed.id })
  await ben.show().reactions.ofComment({ comment_id: question.id })
  await mara.show().reactions.remove({ reaction_id: data.reaction?.id ?? 0 })
}
