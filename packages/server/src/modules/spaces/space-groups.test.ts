import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
})
afterAll(() => world.close())

const makeGroup = async (title: string) => (await admin.api.spaceGroups.create({ title })).space_group
const listed = async (who: Member, id: number) => {
  const { groups } = await who.api.spaceGroups.list({ include_empty: true })
  return groups.find((group) => group.id === id)
}
const spacesOf = async (id: number) => (await listed(admin, id))?.spaces?.map((space) => space.id)
const orphans = async (who: Member) => (await who.api.spaceGroups.list()).orphaned_spaces.map((space) => space.id)
const move = (space: Space, group_id: number, serial?: number) => admin.api.spaceGroups.moveSpace({ space_id: space.id, group_id, serial })

test('administrators create, update and delete a group', async () => {
  const { status, body } = await admin.api.spaceGroups.create.answer({ title: ' Topics ', settings: { default_collapsed: true } })
  expect(status).toBe(201)
  const { id, ...group } = body.space_group
  expect(group).toEqual({
    title: 'Topics',
    slug: 'topics',
    description: '',
    serial: 1,
    settings: { is_collapsible: true, default_collapsed: true, hide_members: 'no', always_show_spaces: 'yes' },
    spaces_count: 0,
    created_at: '2026-03-10 12:00:00',
    updated_at: '2026-03-10 12:00:00',
  })
  world.clock.advance(60)
  const { space_group } = await admin.api.spaceGroups.update({
    group_id: id,
    description: 'All of them',
    settings: { is_collapsible: false },
  })
  expect(space_group).toMatchObject({
    title: 'Topics',
    description: 'All of them',
    updated_at: '2026-03-10 12:01:00',
    settings: { is_collapsible: false, default_collapsed: true },
  })
  await admin.api.spaceGroups.remove({ group_id: id })
  await refused(admin.api.spaceGroups.remove({ group_id: id }), 404, 'not_found')
  await refused(admin.api.spaceGroups.update({ group_id: id, title: 'x' }), 404, 'not_found')
})

test('nobody else manages groups', async () => {
  const group = await makeGroup('Guarded')
  const manager = await world.member({ role: 'manager' })
  for (const who of [ana, manager, await world.member({ role: 'moderator' })]) {
    const calls = [
      who.raw('POST', '/spaces/space_groups', { title: 'x' }),
      who.raw('POST', '/spaces/space_groups', {}),
      who.raw('PUT', `/spaces/space_groups/${group.id}`, { title: 'x' }),
      who.raw('DELETE', `/spaces/space_groups/${group.id}`),
      who.raw('PATCH', '/spaces/space_groups/re-index', { group_ids: [group.id] }),
      who.raw('PATCH', '/spaces/space_groups/re-index-spaces', { space_ids: [1] }),
      who.raw('PATCH', '/spaces/space_groups/move-space', { space_id: 1, group_id: 0 }),
    ]
    for (const { status, body } of await Promise.all(calls)) expect([status, body.code]).toEqual([403, 'permission_denied'])
  }
  expect((await world.request('POST', '/spaces/space_groups', { title: 'x' })).status).toBe(401)
})

test('invalid bodies are refused', async () => {
  await refused(admin.api.spaceGroups.create({} as { title: string }), 400, 'missing_required_field')
  await refused(makeGroup('  '), 400, 'invalid_data')
  expect((await admin.raw('POST', '/spaces/space_groups', { title: 'x', settings: { is_collapsible: 'yes' } })).body.code).toBe(
    'invalid_data',
  )
  await refused(admin.api.spaceGroups.reorder({ group_ids: [] }), 400, 'invalid_data')
  await refused(admin.api.spaceGroups.reorderSpaces({ space_ids: [5, 5] }), 400, 'invalid_data')
})

test('spaces move into, between and out of groups', async () => {
  const [one, two] = [await makeGroup('One'), await makeGroup('Two')]
  const [a, b, c] = [await makeSpace(world), await makeSpace(world), await makeSpace(world)]
  expect((await move(a, one.id)).space).toMatchObject({ id: a.id, group_id: one.id, serial: 1 })
  expect((await move(b, one.id)).space.serial).toBe(2)
  expect((await move(c, one.id, 1)).space).toMatchObject({ group_id: one.id, serial: 1 })
  expect(await spacesOf(one.id)).toEqual([c.id, a.id, b.id])
  await move(a, two.id)
  expect([await spacesOf(one.id), await spacesOf(two.id)]).toEqual([[c.id, b.id], [a.id]])
  expect((await admin.api.spaces.byId({ space_id: a.id })).data.parent_id).toBe(two.id)
  expect((await move(a, 0)).space.group_id).toBe(0)
  expect(await orphans(admin)).toContain(a.id)
  await refused(move(a, 987_654), 404, 'not_found')
  await refused(move({ id: 987_654, slug: '' }, one.id), 404, 'not_found')
})

test('spaces can be reordered, and moved to a group at the same time', async () => {
  const group = await makeGroup('Ordered')
  const spaces = [await makeSpace(world), await makeSpace(world), await makeSpace(world)]
  const [a = 0, b = 0, c = 0] = spaces.map((space) => space.id)
  await admin.api.spaceGroups.reorderSpaces({ space_ids: [c, a, b], group_id: group.id })
  expect(await spacesOf(group.id)).toEqual([c, a, b])
  await admin.api.spaceGroups.reorderSpaces({ space_ids: [b, c, a] })
  expect(await spacesOf(group.id)).toEqual([b, c, a])
  await refused(admin.api.spaceGroups.reorderSpaces({ space_ids: [a, 987_654] }), 404, 'not_found')
  await refused(admin.api.spaceGroups.reorderSpaces({ space_ids: [a], group_id: 987_654 }), 404, 'not_found')
  await admin.api.spaceGroups.reorderSpaces({ space_ids: [a], group_id: 0 })
  expect(await orphans(admin)).toContain(a)
})

test('groups can be reordered; unnamed ones follow', async () => {
  const ids = []
  for (const title of ['First', 'Second', 'Third']) ids.push((await makeGroup(title)).id)
  const [first = 0, second = 0, third = 0] = ids
  await admin.api.spaceGroups.reorder({ group_ids: [third, first] })
  const order = (await admin.api.spaceGroups.list({ include_empty: true })).groups.map((group) => group.id)
  expect(order.slice(0, 2)).toEqual([third, first])
  expect(order).toContain(second)
  await refused(admin.api.spaceGroups.reorder({ group_ids: [first, 987_654] }), 404, 'not_found')
})

test('deleting a group leaves its spaces without a group', async () => {
  const group = await makeGroup('Short-lived')
  const space = await makeSpace(world)
  await move(space, group.id)
  await admin.api.spaceGroups.remove({ group_id: group.id })
  expect((await admin.api.spaces.byId({ space_id: space.id })).data.parent_id).toBeNull()
  expect(await orphans(admin)).toContain(space.id)
})

test('everyone sees the groups with the spaces visible to them', async () => {
  const group = await makeGroup('Mixed')
  const [open, closed, secret, mine, draft] = [
    await makeSpace(world, { settings: { emoji: '🌱' } }),
    await makeSpace(world, { privacy: 'private' }),
    await makeSpace(world, { privacy: 'secret' }),
    await makeSpace(world, { privacy: 'secret', members: [ana] }),
    await makeSpace(world, { status: 'draft', members: [ana] }),
  ]
  for (const space of [open, closed, secret, mine, draft]) await move(space, group.id)
  const forAna = await listed(ana, group.id)
  expect(forAna?.spaces?.map((space) => [space.id, space.is_member])).toEqual([
    [open.id, false],
    [closed.id, false],
    [mine.id, true],
  ])
  expect(forAna?.spaces_count).toBe(3)
  expect(forAna?.spaces?.[0]).toMatchObject({ emoji: '🌱', slug: open.slug, serial: 1 })
  expect((await listed(admin, group.id))?.spaces_count).toBe(5)
})

test('groups without a visible space are omitted by default', async () => {
  const [empty, hidden] = [await makeGroup('Empty'), await makeGroup('Hidden')]
  await move(await makeSpace(world, { privacy: 'secret' }), hidden.id)
  const ids = async (query: object) => (await ana.api.spaceGroups.list(query)).groups.map((group) => group.id)
  expect(await ids({})).not.toEqual(expect.arrayContaining([empty.id]))
  expect(await ids({})).not.toEqual(expect.arrayContaining([hidden.id]))
  expect(await ids({ include_empty: true })).toEqual(expect.arrayContaining([empty.id, hidden.id]))
  const bare = await ana.api.spaceGroups.list({ with_spaces: false, include_empty: true })
  expect(bare.groups.every((group) => group.spaces === undefined)).toBe(true)
  expect(bare.orphaned_spaces).toEqual([])
})
