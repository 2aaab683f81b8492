import type { Recording } from './recording.ts'

export const feeds: Recording = async (recorder, { ines, ben, mara }) => {
  const { data: garden } = await ben.api.spaces.bySlug({ space_slug: 'garden' })
  await ines.show('A pinned announcement').feeds.create({
    title: 'Welcome',
    message: 'Say hello, and tell us what brought you here.',
    content_type: 'markdown',
    type: 'announcement',
    is_sticky: true,
  })
  recorder.advance(600)
  const { data: seeds } = await ben.show().feeds.create({
    title: 'Seed swap in April',
    message: 'Bring what you have **too much** of. I have beans and three kinds of tomato.',
    content_type: 'markdown',
    space_id: garden.id,
  })
  const { data: later } = await mara.show('For later').feeds.create({
    title: 'Minutes of the meeting',
    message: 'We met on Tuesday. Here is what we decided.',
    status: 'scheduled',
    scheduled_at: '2026-03-12 08:00:00',
  })
  await recorder.runPendingJobs()
  await ben.show().feeds.update({ feed_id: seeds.id, title: 'Seed swap on 12 April' })
  await mara.show().feeds.list({ per_page: 2 })
  await mara.show('Search').feeds.list({ search: 'tomato', space: 'garden', per_page: 2 })
  await mara.show().feeds.byId({ feed_id: seeds.id })
  await mara.show().feeds.bySlug({ feed_slug: seeds.slug })
  await mara.show().feeds.preview({ content: '# Minutes\n\n- Tools: _bought_\n- Compost: by **Ben**' })
  await mara.show().feeds.remove({ feed_id: later.id })
}
