import type { Recording } from './recording.ts'

export const managers: Recording = async (_recorder, { ines, ben, mara }) => {
  const { data: garden } = await ines.api.spaces.bySlug({ space_slug: 'garden' })
  await ines.show('Limited to a space').managers.save({ user_id: ben.id, role: 'moderator', spaces: [garden.id] })
  await ines.api.managers.save({ user_id: mara.id, role: 'manager' })
  await ines.show().managers.update({ user_id: mara.id, permissions: ['view_analytics'], status: 'inactive' })
  await ines.show().managers.list({ role: 'moderator', per_page: 5 })
  await ines.show().managers.remove({ user_id: mara.id })
  await ines.api.managers.remove({ user_id: ben.id })
}
