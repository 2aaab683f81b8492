import type { Recording } from './recording.ts'

export const edits: Recording = async (recorder, { ines, ben, mara }) => {
  const { data: feed } = await ben.api.feeds.create({ title: 'Who left the gate open?', message: 'It was Yuki again.' })
  const { data: comment } = await mara.api.comments.create({ feed_id: feed.id, comment: 'Call Yuki at +43 123 456.' })
  recorder.advance(600)
  await ines.show("Editing somebody else's post").feeds.update({
    feed_id: feed.id,
    message: 'Please close the gate.',
    reason: 'It blamed somebody in public.',
  })
  await ines.api.comments.update({
    feed_id: feed.id,
    comment_id: comment.id,
    comment: 'Call Yuki.',
    reason: 'It had a private telephone number.',
  })
  await ines.show('Who edited it, for moderators').feeds.revisions({ feed_id: feed.id })
  await mara.show().comments.revisions({ comment_id: comment.id })
  await recorder.anonymous.api.auth.login({ login: 'mara', password: 'not the one' }).catch(() => {})
  await ines.show().audit.signInFailures({})
}
