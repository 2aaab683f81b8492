import type { Recording } from './recording.ts'

export const analytics: Recording = async (_recorder, { ines }) => {
  const days = { date_from: '2026-03-09', date_to: '2026-03-10' }
  const { data: garden } = await ines.api.spaces.bySlug({ space_slug: 'garden' })
  await ines.show('Against the days before').analytics.overviewWidget({ ...days, compare: true })
  await ines.show().analytics.overviewActivity(days)
  await ines.show().analytics.popularDayTime({})
  await ines.show().analytics.membersWidget({})
  await ines.show('By weeks').analytics.membersActivity({ ...days, interval: 'week' })
  await ines.show().analytics.topMembers({ metric: 'engagement', limit: 3 })
  await ines.show().analytics.topPostStarters({ limit: 2 })
  await ines.show().analytics.topCommenters({ limit: 2 })
  await ines.show().analytics.spacesWidget({})
  await ines.show('Of one space').analytics.spacesActivity({ ...days, space_id: garden.id })
  await ines.show().analytics.popularSpaces({ metric: 'posts', limit: 2 })
  await ines.show().analytics.searchSpaces({ search: 'gar' })
}
