import type { Recording } from './recording.ts'

export const topics: Recording = async (_recorder, { ines, ben, mara }) => {
  const { data: garden } = await ines.api.spaces.bySlug({ space_slug: 'garden' })
  const seeds = await ines.show().adminTopics.create({
    title: 'Seeds and bulbs',
    description: 'Sowing, saving and swapping.',
    color: '#15803d',
    icon: '🌱',
    space_ids: [garden.id],
  })
  const old = await ines.api.adminTopics.create({ title: 'Winter 2024' })
  await ines.show().adminTopics.update({ topic_id: old.id, status: 'inactive', color: '#64748b' })
  await ines.show().adminTopics.list({ search: 'seed' })
  await ines.show().adminTopics.saveConfig({ max_topics_per_post: 3, user_can_create: true })
  await ines.show().adminTopics.config()
  await ben.show().topics.create({ title: 'Compost', color: '#854d0e' })
  await mara.show().topics.list({ space: 'garden' })
  const { data } = await ben.show('With a topic').feeds.create({
    message: 'Who has room for a tray of leeks?',
    space_id: garden.id,
    topics: [seeds.id],
  })
  await mara.show('Of a topic').feeds.list({ topic_slug: seeds.slug, per_page: 1 })
  await ben.api.feeds.remove({ feed_id: data.id })
  await ines.show().adminTopics.remove({ topic_id: old.id })
}
