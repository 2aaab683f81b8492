import type { Recording } from './recording.ts'

export const moderation: Recording = async (recorder, { ines, ben, mara, yuki }) => {
  const { data: garden } = await ben.api.spaces.bySlug({ space_slug: 'garden' })
  await ines.show().moderation.saveConfig({
    auto_moderation: { enabled: true, spam_detection: false },
    report_thresholds: { auto_hide_threshold: 5 },
    blocked_words: ['slugbait'],
    blocked_domains: ['cheap-seeds.example'],
  })
  await ines.show().moderation.config()
  const { data: offer } = await yuki.api.feeds.create({ message: 'Twelve bags of peat, cheap. Write to me!', space_id: garden.id })
  const { data: tip } = await yuki.api.feeds.create({ message: 'Try slugbait, it works.', space_id: garden.id })
  const { data: comment } = await yuki.api.comments.create({ feed_id: offer.id, comment: 'More at https://cheap-seeds.example/' })
  const report = await mara.show().moderation.report({
    object_id: offer.id,
    object_type: 'feed',
    reason: 'spam',
    description: 'The third offer of this kind this week.',
  })
  await mara.show('The same again').moderation.report({ object_id: offer.id, object_type: 'feed', reason: 'spam' })
  await ines.show().moderation.reports({ status: 'pending' })
  await ines.show().moderation.update({
    report_id: report.id,
    status: 'resolved',
    action_taken: 'warning',
    moderator_note: 'Asked to keep offers to the market space.',
  })
  await ines.show().moderation.queue()
  await ines.show().moderation.decideFeed({ feed_id: tip.id, decision: 'approve' })
  await ines.show().moderation.decideComment({ comment_id: comment.id, decision: 'reject', note: 'No links to shops, please.' })
  await recorder.runPendingJobs()
  await ines.show().audit.list({ action: 'report.decided' })
  await ines.show().moderation.remove({ report_id: report.id })
  await ines.api.moderation.saveConfig({ auto_moderation: { enabled: false } })
}
