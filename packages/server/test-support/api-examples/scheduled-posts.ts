import type { Recording } from './recording.ts'

export const scheduledPosts: Recording = async (recorder, { mara }) => {
  const plan = { title: 'Minutes of the meeting', message: 'We met on Tuesday.', status: 'scheduled' as const }
  const { data } = await mara.api.feeds.create({ ...plan, scheduled_at: '2026-04-01 08:00:00', timezone: 'Europe/Berlin' })
  recorder.advance(600)
  await mara.show().scheduledPosts.list({ date_from: '2026-04-01' })
  await mara.show().scheduledPosts.reschedule({ feed_id: data.id, scheduled_at: '2026-04-02 08:00:00', timezone: 'Europe/Berlin' })
  recorder.advance(600)
  await mara.show().scheduledPosts.publish({ feed_id: data.id })
}
