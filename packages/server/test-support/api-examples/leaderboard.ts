import type { Recording } from './recording.ts'

export const leaderboard: Recording = async (recorder, { ines, ben, mara, yuki }) => {
  const { data: question } = await mara.api.feeds.create({ type: 'question', message: 'How deep do leeks go?' })
  const { data: answer } = await ben.api.comments.create({ feed_id: question.id, comment: 'As deep as your finger is long.' })
  const ids = { feed_id: question.id, comment_id: answer.id }
  await mara.show().comments.markHelpful(ids)
  await recorder.runPendingJobs()
  await yuki.show().leaderboard.list({ period: 'today', limit: 2 })
  await mara.show().comments.unmarkHelpful(ids)
  const { levels } = await ines.show().leaderboardLevels.list()
  const highest = levels.at(-1)
  await ines.show().leaderboardLevels.save({
    levels: [
      ...(highest ? [{ id: highest.id, max_points: 49_999 }] : []),
      { title: 'Legend', min_points: 50_000, max_points: 99_999, badge_icon: '🌟', badge_color: '#facc15', perks: ['A seat at the table'] },
    ],
    points_config: { helpful_vote: 25 },
  })
}
