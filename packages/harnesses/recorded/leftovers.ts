import type { Recorder } from '#test/api-examples/recorder.ts'
import type { Accounts } from '#test/api-examples/recording.ts'

/** As browsers create them; the key is a point on the curve. */
const DEVICE = {
  endpoint: 'https://push.example/send/dGhpcyBpcyBhIGRldmljZQ',
  keys: {
    p256dh: 'BA8btVObzPTDjZZXP_sbnm3d93K8SzS5c0WydInZuYHL4jPOnQpCshmmKIkrahewbWaMf1Dt-xY3xO0mJ9yNvqI',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
}

/** Inserts rows into the tables that the demo and the story leave empty because they clean up. */
export const leaveRows = async (recorder: Recorder, { ines, ben, mara, yuki }: Accounts): Promise<void> => {
  const { data: garden } = await ben.api.spaces.bySlug({ space_slug: 'garden' })
  await ines.api.webhooks.create({ name: 'Newsletter', url: 'https://hooks.example.org/community', events: ['feed.created'] })
  await mara.api.push.subscribe(DEVICE)
  await ines.api.managers.save({ user_id: ben.id, role: 'moderator', spaces: [garden.id] })
  await ines.api.moderation.saveConfig({ auto_moderation: { enabled: true }, blocked_words: ['slugbait'] })
  const { data: feed } = await yuki.api.feeds.create(
    { message: 'Seedlings to give away.', space_id: garden.id },
    { idempotencyKey: 'seedlings' },
  )
  await yuki.api.feeds.create({ message: 'Try slugbait, it works.', space_id: garden.id })
  await mara.api.moderation.report({ object_id: feed.id, object_type: 'feed', reason: 'spam' })
  await mara.api.feeds.create({ message: 'Minutes of the meeting', status: 'scheduled', scheduled_at: '2035-04-01 08:00:00' })
  await mara.api.privacy.requestExport()
  await recorder.runPendingJobs()
}
