import type { Recording } from './recording.ts'

export const notifications: Recording = async (recorder, { ben, mara, yuki }) => {
  const { data: feed } = await ben.api.feeds.create({ title: 'First frost', message: 'It came early. @mara, are your dahlias in?' })
  const { data: answer } = await mara.api.comments.create({ feed_id: feed.id, comment: 'Since Sunday, thank you.' })
  await yuki.api.comments.create({ feed_id: feed.id, comment: 'Mine are not!' })
  await ben.api.comments.create({ feed_id: feed.id, comment: 'Good.', parent_id: answer.id })
  await yuki.api.reactions.toFeed({ feed_id: feed.id, type: 'wow' })
  await recorder.runPendingJobs()
  const { notifications: page } = await ben.show().notifications.list({ per_page: 5 })
  await mara.show('Only unread ones of one type').notifications.list({ is_read: false, type: 'mention', per_page: 5 })
  await mara.show().notifications.unread()
  await ben.show().notifications.read({ notification_id: page.data[0]!.id })
  await ben.show().notifications.remove({ notification_id: page.data[0]!.id })
  await mara.show().notifications.markAllRead()
  await yuki.show().notifications.removeAll()
  await mara.show().notifications.preferences({ username: 'me' })
  await mara
    .show()
    .notifications.savePreferences({ username: 'mara', email_notifications: { new_comment: false }, digest_frequency: 'daily' })
}
