import type { Recording } from './recording.ts'

export const spaceGroups: Recording = async (_recorder, { ines, ben }) => {
  const { data: garden } = await ines.api.spaces.bySlug({ space_slug: 'garden' })
  const { data: board } = await ines.api.spaces.bySlug({ space_slug: 'board' })
  const { space_group: outside } = await ines.show().spaceGroups.create({ title: 'Outside', description: 'Where we dig' })
  const { space_group: inside } = await ines.api.spaceGroups.create({ title: 'Inside' })
  await ines.show().spaceGroups.update({ group_id: inside.id, title: 'At the table', settings: { default_collapsed: true } })
  await ines.show().spaceGroups.moveSpace({ space_id: garden.id, group_id: outside.id })
  await ines.show().spaceGroups.reorderSpaces({ space_ids: [garden.id, board.id], group_id: outside.id })
  await ines.show().spaceGroups.reorder({ group_ids: [inside.id, outside.id] })
  await ben.show().spaceGroups.list()
  await ines.show().spaceGroups.remove({ group_id: inside.id })
}
