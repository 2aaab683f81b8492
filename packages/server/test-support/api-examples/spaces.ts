import type { Recording } from './recording.ts'

export const spaces: Recording = async (_recorder, { ines, ben }) => {
  const { data: garden } = await ines.show().spaces.create({
    title: 'Garden',
    description: '<p>Beds, beans and everything that grows.</p>',
    privacy: 'public',
    settings: { emoji: '🌱' },
  })
  const { data: board } = await ines.show('A private space').spaces.create({ title: 'Board', slug: 'board', privacy: 'private' })
  await ines.show().spaces.updateBySlug({ space_slug: garden.slug, description: '<p>Beds, beans and everything that grows here.</p>' })
  await ines.show().spaces.updateById({ space_id: board.id, settings: { can_request_join: 'yes' } })
  await ines
    .show()
    .spaces.saveLinks({ space_slug: garden.slug, links: [{ title: 'Bed plan', permalink: 'https://calendar.example/beds' }] })
  await ines.show().spaces.saveLockscreens({
    space_slug: board.slug,
    enabled: true,
    message: 'The board meets here. Ask to join, and tell us why.',
    button_text: 'Ask to join',
    lockscreen: [{ name: 'banner', type: 'image', heading: 'The board', heading_color: '#ffffff' }],
  })
  await ben.show().spaces.lockscreens({ space_slug: board.slug })
  await ines.show().spaces.metaSettings({ space_slug: garden.slug })
  await ben.show().spaces.list()
  await ben.show().spaces.discover({ sort_by: 'latest' })
  await ines.show().spaces.all({ per_page: 1 })
  await ben.show().spaces.bySlug({ space_slug: garden.slug })
  await ben.show().spaces.byId({ space_id: garden.id })

  const [{ data: old }, { data: older }] = [
    await ines.api.spaces.create({ title: 'Market 2024' }),
    await ines.api.spaces.create({ title: 'Market 2023' }),
  ]
  await ines.show().spaces.remove({ space_slug: old.slug })
  await ines.show().spaces.removeById({ space_id: older.id })
}
