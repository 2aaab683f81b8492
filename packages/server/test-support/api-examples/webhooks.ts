import type { Recording } from './recording.ts'

export const webhooks: Recording = async (recorder, { ines, ben }) => {
  const { id } = await ines.show().webhooks.create({
    name: 'Newsletter',
    url: 'https://hooks.example.org/community',
    events: ['feed.created', 'user.registered'],
    headers: { 'X-Source': 'community' },
  })
  await ben.api.feeds.create({ message: 'Tulips are out at the town hall.' })
  await recorder.runPendingJobs()
  await ines.show().webhooks.list()
  await ines.show().webhooks.one({ webhook_id: id })
  await ines.show().webhooks.update({ webhook_id: id, events: ['feed.created', 'comment.created'], retry_count: 5 })
  await ines.show().webhooks.test({ webhook_id: id })
  const { deliveries } = await ines.show().webhooks.deliveries({ webhook_id: id })
  await ines.show().webhooks.redeliver({ webhook_id: id, delivery_id: deliveries[0]?.id ?? 0 })
  await recorder.runPendingJobs()
  await ines.show().webhooks.rotateSecret({ webhook_id: id })
  await ines.show().webhooks.remove({ webhook_id: id })
}
