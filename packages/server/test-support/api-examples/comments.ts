import type { Recording } from './recording.ts'

export const comments: Recording = async (recorder, { ben, mara, yuki }) => {
  const { data: feed } = await ben.api.feeds.bySlug({ feed_slug: 'seed-swap-in-april' })
  const feed_id = feed.id
  const { data: question } = await mara.show().comments.create({ feed_id, comment: 'Are seedlings welcome too, or seeds only?' })
  recorder.advance(420)
  const { data: reply } = await ben
    .show('A reply')
    .comments.create({ feed_id, comment: 'Seedlings too. Label them!', parent_id: question.id })
  const { data: doubled } = await yuki.api.comments.create({ feed_id, comment: 'I bring basil.' })
  await ben.show().comments.update({ feed_id, comment_id: reply.id, comment: 'Seedlings too. Please label them!' })
  await yuki.show().comments.list({ feed_id })
  await yuki.show().comments.byId({ comment_id: question.id })
  await yuki.show().comments.remove({ feed_id, comment_id: doubled.id })
}
