import { afterAll, beforeAll, expect, test } from 'vitest'
import { grant, leaveSpace, makeSpace } from '#test/fixtures.ts'
import { expectInOrder, expectNoScan, plansOf } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
})
afterAll(() => world.close())

const commentsOf = async (who: Member, author: Member) => (await who.api.profiles.comments({ username: author.username })).comments

test('comments of a member, newest first, with their post', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  const space = await makeSpace(world, { members: [ana, ben] })
  const { data: feed } = await ben.api.feeds.create({ title: 'Soup', message: 'Recipe', space_id: space.id })
  const { data: free } = await ben.api.feeds.create({ title: 'Bread', message: 'Recipe' })
  const ids: number[] = []
  for (const feed_id of [feed.id, free.id, feed.id]) {
    world.clock.advance(1)
    ids.unshift((await ana.api.comments.create({ feed_id, comment: `On ${feed_id}` })).data.id)
  }
  const { comments } = await ben.api.profiles.comments({ username: ana.username, per_page: 2 })
  expect(comments).toMatchObject({ total: 3, per_page: 2, current_page: 1, last_page: 2 })
  expect(comments.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(comments.data.map(({ post }) => post)).toEqual([
    { id: feed.id, title: 'Soup', slug: feed.slug, permalink: `https://community.example/spaces/${space.slug}/feeds/${feed.slug}` },
    { id: free.id, title: 'Bread', slug: free.slug, permalink: `https://community.example/feeds/${free.slug}` },
  ])
  expect(comments.data[0]).toMatchObject({ post_id: feed.id, user_id: ana.id, xprofile: { username: ana.username }, has_user_react: null })
  const last = (await ana.api.profiles.comments({ username: 'me', per_page: 2, page: 2 })).comments
  expect(last.data.map(({ id }) => id)).toEqual(ids.slice(2))
  const past = (await ana.api.profiles.comments({ username: 'me', page: 9 })).comments
  expect([past.data, past.total]).toEqual([[], 3])
})

test('comments are hidden from those who cannot see the post', async () => {
  const [ana, insider, outsider] = [await world.member(), await world.member(), await world.member()]
  const [mod, admin] = [await world.member({ role: 'moderator' }), await world.member({ role: 'admin' })]
  const spaceMod = await world.member()
  const spaces = [
    await makeSpace(world, { members: [ana, insider], moderators: [spaceMod] }),
    await makeSpace(world, { privacy: 'private', members: [ana, insider], moderators: [spaceMod] }),
    await makeSpace(world, { privacy: 'secret', members: [ana, insider], moderators: [spaceMod] }),
  ]
  for (const space of spaces) {
    const { data } = await ana.api.feeds.create({ message: 'A feed', space_id: space.id })
    const { data: comment } = await ana.api.comments.create({ feed_id: data.id, comment: 'Seen' })
    const { data: held } = await ana.api.comments.create({ feed_id: data.id, comment: 'Held' })
    await admin.api.comments.update({ feed_id: data.id, comment_id: held.id, status: 'spam' })
    expect(comment.status).toBe('published')
  }
  const { data: draft } = await ana.api.feeds.create({ message: 'Soon a draft' })
  await ana.api.comments.create({ feed_id: draft.id, comment: 'Hidden' })
  await ana.api.feeds.update({ feed_id: draft.id, status: 'draft' })
  const totals = async () => {
    const lists = await Promise.all([ana, insider, outsider, spaceMod, mod, admin].map((who) => commentsOf(who, ana)))
    for (const list of lists) expect(list.data.length).toBe(list.total)
    return lists.map(({ total }) => total)
  }
  expect(await totals()).toEqual([3, 3, 1, 3, 3, 3])
  for (const space of spaces) for (const who of [insider, ana]) await leaveSpace(world, space, who)
  expect(await totals()).toEqual([1, 1, 1, 3, 3, 3])
  await admin.api.members.update({ user_id: ana.id, status: 'banned' })
  await refused(insider.api.profiles.comments({ username: ana.username }), 404, 'user_not_found')
  await refused(insider.api.profiles.spaces({ username: ana.username }), 404, 'user_not_found')
  expect((await commentsOf(mod, ana)).total).toBe(3)
  await refused(world.anonymous.profiles.comments({ username: ana.username }), 401, 'rest_forbidden')
  await refused(outsider.api.profiles.comments({ username: 'no.dots!' }), 400, 'invalid_username')
})

test('spaces of a member, as far as the caller may know the memberships', async () => {
  const [ana, insider, outsider] = [await world.member(), await world.member(), await world.member()]
  const [mod, admin] = [await world.member({ role: 'moderator' }), await world.member({ role: 'admin' })]
  const members = [ana, insider]
  const shown = { members_page_status: 'logged_in' }
  const open = await makeSpace(world, { members, settings: shown })
  const shy = await makeSpace(world, { members, settings: { members_page_status: 'admin_only' } })
  const closed = await makeSpace(world, { privacy: 'private', members, settings: shown })
  const secret = await makeSpace(world, { privacy: 'secret', members, settings: shown })
  const draft = await makeSpace(world, { status: 'draft', members, settings: shown })
  const usual = await makeSpace(world, { members })
  const usualClosed = await makeSpace(world, { privacy: 'private', members })
  const inside = [open, closed, secret, usual, usualClosed].map(({ id }) => id)
  const all = [open, shy, closed, secret, usual, usualClosed].map(({ id }) => id)
  const sees = async (who: Member) => {
    const { spaces } = await who.api.profiles.spaces({ username: ana.username })
    expect(spaces.map(({ title }) => title)).toEqual(spaces.map(({ title }) => title).sort())
    return spaces.map(({ id }) => id).sort((a, b) => a - b)
  }
  expect(await sees(ana)).toEqual(all)
  expect(await sees(insider)).toEqual(inside)
  expect(await sees(outsider)).toEqual([open.id, usual.id])
  expect(await sees(admin)).toEqual([...all, draft.id].sort((a, b) => a - b))
  const keeper = await world.member({ role: 'manager' })
  await grant(world, keeper, ['manage_comments'], [closed, secret])
  expect(await sees(keeper)).toEqual([open.id, closed.id, secret.id, usual.id])
  const [own] = (await ana.api.profiles.spaces({ username: 'me' })).spaces
  expect([own?.is_member, own?.role]).toEqual([true, 'member'])

  await ana.api.profiles.update({ username: 'me', is_private: true })
  expect([await sees(insider), await sees(outsider)]).toEqual([[], []])
  expect([(await sees(ana)).length, (await sees(mod)).length]).toEqual([6, 6])
  await ana.api.profiles.update({ username: 'me', is_private: false })
  for (const space of [open, usual]) await leaveSpace(world, space, ana)
  expect(await sees(outsider)).toEqual([])
})

test('both lists use indexes', async () => {
  if (world.dialect !== 'sqlite') return
  const [ana, mod] = [await world.member(), await world.member({ role: 'moderator' })]
  const space = await makeSpace(world, { members: [ana] })
  const { data } = await ana.api.feeds.create({ message: 'A feed', space_id: space.id })
  await ana.api.comments.create({ feed_id: data.id, comment: 'x' })
  for (const who of [ana, mod]) await expectInOrder(world, () => who.api.profiles.comments({ username: ana.username }))
  const read = world.app.services.database.read
  for (const who of [mod, ana]) {
    const plans = await plansOf(read, () => who.api.profiles.spaces({ username: ana.username }))
    const scans = plans.flatMap(({ steps }) => steps.filter((step) => step.startsWith('SCAN') && !/^SCAN s USING INDEX/.test(step)))
    expect(scans).toEqual([])
  }
  await expectNoScan(world, () => ana.api.profiles.get({ username: 'me' }))
})
