import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound, runErasure } from '#test/account-deletion.ts'
import { asMember } from '#test/as-member.ts'
import { everything } from '#test/tables.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { relocateFiles } from '../../../server/src/modules/media/index.ts'
import { AT, bring, comment, community, person, post } from '../../test-support/bring.ts'
import { garden, gardenFiles } from '../../test-support/garden.ts'
import { memorySource } from '../../test-support/memory-source.ts'
import { importSource } from './import-source.ts'

let world: World
let boss: Member
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
  boss = await world.member({ role: 'admin', username: 'boss' })
})
afterAll(async () => {
  await expectSound(world)
  await world.close()
})

const read = () => world.app.services.database.read
const rowOf = async (source: string, kind: string, id: string) => {
  const row = await read()
    .selectFrom('import_map')
    .select('local_id')
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('foreign_id', '=', id)
    .executeTakeFirst()
  return row?.local_id ?? 0
}
const messageOf = async (source: string, id: string) => {
  const row = await read()
    .selectFrom('feeds')
    .select('message')
    .where('id', '=', await rowOf(source, 'posts', id))
    .executeTakeFirst()
  return row?.message
}

test('a second import changes nothing at all', async () => {
  const run = async () => importSource(world.app.services, memorySource(garden(), { files: await gardenFiles() }))
  await run()
  const before = await everything(world)
  world.clock.advance(3600)
  const { counts } = await run()
  for (const [kind, count] of Object.entries(counts))
    expect([kind, count]).toEqual([kind, { ...count, total: count.unchanged, imported: 0, changed: 0, skipped: 0, failed: 0 }])
  expect(await everything(world)).toEqual(before)
})

test('a later import brings what is new and what changed at the source, and keeps what was changed here', async () => {
  const as = 'growing'
  await bring(world, community(['One', 'Two', 'Three'], { comments: [comment('c1')] }), { as })
  world.clock.advance(3600)
  const ana = await asMember(world, 'ana')
  await ana.feeds.update({ feed_id: await rowOf(as, 'posts', 'p2'), message: 'Two, as of here' })
  await ana.feeds.remove({ feed_id: await rowOf(as, 'posts', 'p3') })
  world.clock.advance(3600)
  const { counts, reasons } = await bring(
    world,
    community(['One, edited', 'Two, edited', 'Three, edited', 'Four'], {
      comments: [comment('c1', { message: 'Changed' }), comment('c2')],
    }),
    { as },
  )
  expect(counts.posts).toEqual({ total: 4, imported: 1, unchanged: 0, changed: 1, skipped: 2, failed: 0 })
  expect(counts.comments).toMatchObject({ imported: 1, changed: 1 })
  expect(reasons).toMatchObject({
    'posts p2': 'skipped: it was changed in this community after the last import',
    'posts p3': 'skipped: it was deleted in this community',
  })
  expect([await messageOf(as, 'p1'), await messageOf(as, 'p2'), await messageOf(as, 'p3'), await messageOf(as, 'p4')]).toEqual([
    'One, edited',
    'Two, as of here',
    undefined,
    'Four',
  ])
  const { feeds } = await ana.feeds.list({ search: 'edited' })
  expect(feeds.data.map(({ message, comments_count }) => [message, comments_count])).toEqual([['One, edited', 2]])
})

test('people, spaces and memberships follow the source', async () => {
  const as = 'moving'
  const space = (more: object = {}) =>
    ({
      id: 's',
      title: 'Old title',
      slug: 'moving',
      privacy: 'public',
      status: 'published',
      created_at: '2024-05-01 10:00:00',
      ...more,
    }) as const
  const member = (more: object = {}) =>
    ({ id: 'm', space: 's', person: 'moe', role: 'member', status: 'active', joined_at: '2024-05-01 10:00:00', ...more }) as const
  await bring(world, { people: [person('moe', { display_name: 'Mo' })], spaces: [space()], memberships: [member()] }, { as })
  world.clock.advance(3600)
  const { counts } = await bring(
    world,
    {
      people: [person('moe', { display_name: 'Mo Two', email: 'mo@new.example' })],
      spaces: [space({ title: 'New title', privacy: 'private' })],
      memberships: [member({ role: 'moderator', status: 'active' })],
    },
    { as },
  )
  expect([counts.people?.changed, counts.spaces?.changed, counts.memberships?.changed]).toEqual([1, 1, 1])
  const user = await read().selectFrom('users').select(['display_name', 'email']).where('username', '=', 'moe').executeTakeFirstOrThrow()
  expect(user).toEqual({ display_name: 'Mo Two', email: 'mo@new.example' })
  const row = await read()
    .selectFrom('spaces')
    .select(['title', 'privacy', 'members_count'])
    .where('slug', '=', 'moving')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ title: 'New title', privacy: 'private', members_count: 1 })
})

test('links to what was not there yet follow when it is', async () => {
  const as = 'links'
  const source = { origins: ['https://forum.example'] }
  await bring(world, community(['See https://forum.example/t/2 and https://forum.example/t/9']), { as, source })
  expect(await messageOf(as, 'p1')).toBe('See https://forum.example/t/2 and https://forum.example/t/9')
  const records = community(['See https://forum.example/t/2 and https://forum.example/t/9'])
  await bring(
    world,
    { ...records, posts: [...(records.posts ?? []), post('p2', { slug: 'second-one', urls: ['https://forum.example/t/2'] })] },
    { as, source },
  )
  expect(await messageOf(as, 'p1')).toBe(
    'See https://community.example/spaces/garden-2/feeds/second-one and https://forum.example/t/9'.replace('garden-2', await gardenOf(as)),
  )
})

const gardenOf = async (as: string) => {
  const row = await read()
    .selectFrom('spaces')
    .select('slug')
    .where('id', '=', await rowOf(as, 'spaces', 's'))
    .executeTakeFirstOrThrow()
  return row.slug
}

test('an account that was deleted here does not come back, nor does what it wrote', async () => {
  const as = 'erased'
  const records = (message: string) =>
    community([], { people: [person('eva'), person('ana')], posts: [post('p1', { author: 'eva', message }), post('p2', { message })] })
  await bring(world, records('Before'), { as })
  await boss.api.privacy.deleteMember({ user_id: await rowOf(as, 'people', 'eva'), content: 'remove' })
  await runErasure(world)
  const { reasons } = await bring(world, records('After'), { as })
  expect(reasons['people eva']).toBe('skipped: they deleted their account in this community')
  expect(reasons['posts p1']).toMatch(/^skipped: /)
  expect(await messageOf(as, 'p2')).toBe('After')
  const texts = JSON.stringify(await everything(world))
  expect(texts).not.toContain('eva@old.example')
})

test('what shows files still follows the source after the community has moved to another address', async () => {
  const as = 'moved'
  const files = await gardenFiles()
  const records = (message: string) =>
    community([], {
      media: [{ id: 'm1', file: 'bean.png', file_name: 'bean.png', owner: 'ana', used_for: 'feed', created_at: AT }],
      posts: [post('p1', { message, media: ['m1'] })],
    })
  await bring(world, records('Before'), { as, source: { files } })
  expect(await relocateFiles(world.app.services.database, 'https://new.example')).toBeGreaterThan(0)
  const { counts } = await bring(world, records('After'), { as, source: { files } })
  expect([counts.posts?.changed, await messageOf(as, 'p1')]).toEqual([1, 'After'])
})

test('records of another site do not take the place of those of the first', async () => {
  await bring(world, community(['One']), { source: { name: 'nodebb', origins: ['https://one.example'] } })
  const second = bring(world, community(['Two']), { source: { name: 'nodebb', origins: ['https://two.example'] } })
  await expect(second).rejects.toThrow('--as')
  const { counts } = await bring(world, community(['Two']), { as: 'second', source: { name: 'nodebb', origins: ['https://two.example'] } })
  expect(counts.posts?.imported).toBe(1)
})
