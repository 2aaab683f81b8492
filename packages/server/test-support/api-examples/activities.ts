import type { Recording } from './recording.ts'

export const activities: Recording = async (_recorder, { ben, mara }) => {
  await mara.show().activities.ticker()
  const { data: garden } = await mara.api.spaces.bySlug({ space_slug: 'garden' })
  await mara.show('Of a space').activities.list({ 'context[type]': 'space', 'context[space_id]': garden.id, per_page: 3 })
  await mara.show('Of a person').activities.list({ 'context[user_id]': ben.id, date_from: '2026-03-10', per_page: 2 })
}
