import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound } from '#test/account-deletion.ts'
import { createWorld, type World } from '#test/world.ts'
import { bring, community, post } from '../../test-support/bring.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ start: '2026-03-10T12:00:00Z' })
})
afterAll(() => world.close())

const scheduled = (id: string, scheduled_at: string, more: object = {}) =>
  post(id, { status: 'scheduled', scheduled_at, auto_publish: true, created_at: '2026-03-01 08:00:00', ...more })

const POSTS = [
  scheduled('past', '2026-03-09 18:00:00'),
  scheduled('future', '2026-03-11 18:00:00'),
  scheduled('by-hand', '2026-03-09 18:00:00', { auto_publish: false }),
  scheduled('nobody', '2026-03-09 18:00:00', { author: 'unknown' }),
  post('old', { created_at: '2026-03-09 17:00:00' }),
]

test('a scheduled post whose time has passed is published as of that time, and nobody hears of it', async () => {
  const { reasons } = await bring(world, community([], { posts: POSTS }))
  const { read } = world.app.services.database
  const rows = await read.selectFrom('feeds').select(['message', 'status', 'published_at', 'scheduled_at']).execute()
  const byText = Object.fromEntries(rows.map(({ message, ...row }) => [message, row]))
  expect(byText['Text past']).toEqual({ status: 'published', published_at: '2026-03-09 18:00:00', scheduled_at: null })
  expect(byText['Text future']).toMatchObject({ status: 'scheduled', scheduled_at: '2026-03-11 18:00:00' })
  expect(byText['Text by-hand']).toMatchObject({ status: 'scheduled', scheduled_at: '2026-03-09 18:00:00' })
  expect(byText['Text nobody']).toMatchObject({ status: 'draft', scheduled_at: null })
  expect(reasons['posts past']).toBe('noted: it was published with its scheduled time, which has passed')

  const admin = await world.member({ role: 'admin' })
  const { feeds } = await admin.api.feeds.list({ space: 'garden' })
  expect(feeds.data.map(({ message }) => message)).toEqual(['Text past', 'Text old'])

  expect(await read.selectFrom('notifications').select('id').execute()).toEqual([])
  await expectSound(world)
})

test('a later import finds it published at the source, too', async () => {
  const posts = POSTS.map((one) =>
    one.id === 'past' ? post('past', { created_at: '2026-03-09 18:00:00', message: 'Text past, edited there' }) : one,
  )
  const { counts } = await bring(world, community([], { posts }))
  expect(counts.posts).toMatchObject({ changed: 1, failed: 0 })
  const row = await world.app.services.database.read
    .selectFrom('feeds')
    .select(['status', 'published_at'])
    .where('message', '=', 'Text past, edited there')
    .executeTakeFirst()
  expect(row).toEqual({ status: 'published', published_at: '2026-03-09 18:00:00' })
})
