import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { register, signIn } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let mod: Member
let ana: Member
let bea: Member
let cyd: Member
let zoe: Member

beforeAll(async () => {
  world = await createWorld()
  await world.app.presence.stop()
  const made = async (username: string, displayName: string, role?: 'admin' | 'moderator') => {
    world.clock.advance(1)
    return world.member({ username, displayName, ...(role && { role }) })
  }
  admin = await made('root-user', 'Root', 'admin')
  mod = await made('guard', 'Guard', 'moderator')
  ana = await made('ana-lind', 'Ána Öberg')
  bea = await made('bea_x', '王小明')
  cyd = await made('cyd', 'Anastasia Cyd')
  zoe = await made('zoe', 'Zoë von Ana')
})
afterAll(() => world.close())

type Query = Parameters<Member['api']['members']['list']>[0]
const listed = async (who: Member, query: Query = {}) => {
  const { members, execution_time } = await who.api.members.list(query)
  expect(execution_time).toBeGreaterThanOrEqual(0)
  expect(members.data.length).toBe(Math.min(members.total, members.per_page))
  return members.data.map(({ username }) => username)
}
const seen = (who: Member, last_activity: string | null) =>
  world.app.services.database.write((db) => db.updateTable('users').set({ last_activity }).where('id', '=', who.id).execute())

describe('the list', () => {
  test('contains all members, newest first', async () => {
    expect(await listed(ana)).toEqual(['zoe', 'cyd', 'bea_x', 'ana-lind', 'guard', 'root-user'])
    const { members } = await ana.api.members.list({ per_page: 4, page: 2 })
    expect(members).toMatchObject({ total: 6, per_page: 4, current_page: 2, last_page: 2, from: 5, to: 6 })
    expect(members.data[0]).toMatchObject({ user_id: mod.id, role: 'moderator', status: 'active', last_activity: null, badge: null })
    const past = (await ana.api.members.list({ page: 7 })).members
    expect([past.data, past.total]).toEqual([[], 6])
    await refused(world.anonymous.members.list(), 401, 'rest_forbidden')
  })

  test('supports every order in both directions', async () => {
    await seen(cyd, '2026-03-10 11:00:00')
    await seen(ana, '2026-03-10 11:30:00')
    expect((await listed(ana, { orderby: 'last_seen' })).slice(0, 2)).toEqual(['ana-lind', 'cyd'])
    expect((await listed(ana, { orderby: 'last_seen', order: 'asc' })).slice(-2)).toEqual(['cyd', 'ana-lind'])
    expect(await listed(ana, { orderby: 'created_at', order: 'asc' })).toEqual((await listed(ana)).reverse())
    const names = (await ana.api.members.list({ orderby: 'display_name', order: 'asc' })).members.data.map((row) => row.display_name)
    expect(names).toEqual(['Anastasia Cyd', 'Guard', 'Root', 'Zoë von Ana', 'Ána Öberg', '王小明'])
    await seen(cyd, null)
    await seen(ana, null)
  })

  test('filters by role', async () => {
    expect(await listed(ana, { role: 'admin' })).toEqual(['root-user'])
    expect(await listed(ana, { role: 'moderator' })).toEqual(['guard'])
    expect(await listed(ana, { role: 'member' })).toEqual(['zoe', 'cyd', 'bea_x', 'ana-lind'])
  })

  test('filters by status; inactive accounts are for moderators', async () => {
    await admin.api.members.update({ user_id: cyd.id, status: 'suspended' })
    await admin.api.members.update({ user_id: zoe.id, status: 'banned' })
    expect(await listed(ana)).toEqual(['bea_x', 'ana-lind', 'guard', 'root-user'])
    expect(await listed(ana, { search: 'anastasia' })).toEqual([])
    for (const who of [mod, admin]) {
      expect([await listed(who, { status: 'suspended' }), await listed(who, { status: 'banned' })]).toEqual([['cyd'], ['zoe']])
    }
    for (const status of ['suspended', 'banned'] as const) await refused(ana.api.members.list({ status }), 403, 'rest_forbidden')
    for (const who of [cyd, zoe]) await admin.api.members.update({ user_id: who.id, status: 'active' })
    expect(await listed(ana)).toHaveLength(6)
  })

  test('includes private profiles', async () => {
    await bea.api.profiles.update({ username: 'me', is_private: true })
    expect(await listed(ana, { search: 'bea_x' })).toEqual(['bea_x'])
    await bea.api.profiles.update({ username: 'me', is_private: false })
  })

  test('unknown filters are refused with the list of valid ones', async () => {
    for (const [field, allowed] of [
      ['role', ['member', 'moderator', 'admin']],
      ['status', ['active', 'suspended', 'banned', 'unverified', 'pending']],
      ['orderby', ['created_at', 'display_name', 'last_seen', 'updated_at']],
      ['order', ['asc', 'desc']],
    ] as const) {
      const { status, body } = await ana.raw('GET', `/members?${field}=nonsense`)
      expect([status, body.code, body.data.field, body.data.allowed_values]).toEqual([400, 'invalid_filter', field, allowed])
    }
    expect((await ana.raw('GET', '/members?per_page=0')).body.code).toBe('invalid_parameter')
  })

  test('filters by space, for those who may see its members', async () => {
    const shown = { members_page_status: 'logged_in' }
    const open = await makeSpace(world, { members: [ana, cyd], settings: shown })
    const shy = await makeSpace(world, { members: [ana, bea], settings: { members_page_status: 'admin_only' } })
    const secret = await makeSpace(world, { privacy: 'secret', members: [ana, bea] })
    expect(await listed(zoe, { space_id: open.id })).toEqual(['cyd', 'ana-lind'])
    expect(await listed(zoe, { space: open.slug })).toEqual(['cyd', 'ana-lind'])
    expect(await listed(zoe, { space_id: open.id, search: 'cyd' })).toEqual(['cyd'])
    expect(await listed(bea, { space_id: secret.id })).toEqual(['bea_x', 'ana-lind'])
    await refused(bea.api.members.list({ space_id: shy.id }), 403, 'rest_forbidden')
    expect(await listed(admin, { space_id: shy.id })).toEqual(['bea_x', 'ana-lind'])
    for (const query of [{ space_id: secret.id }, { space: secret.slug }, { space_id: 987654 }, { mention: 'a', space_id: secret.id }]) {
      await refused(zoe.api.members.list(query), 404, 'space_not_found')
    }
  })
})

describe('the search', () => {
  test.each([
    ['ana', ['zoe', 'cyd', 'ana-lind']],
    ['ANA', ['zoe', 'cyd', 'ana-lind']],
    ['stasi', ['cyd']],
    ['oberg', ['ana-lind']],
    ['ÖBERG', ['ana-lind']],
    ['ana-lind', ['ana-lind']],
    ['lind ana', ['ana-lind']],
    ['小明', ['bea_x']],
    ['bea_x', ['bea_x']],
    ['  zoe  ', ['zoe']],
    ['von ana', ['zoe']],
    ['ana%', ['zoe', 'cyd', 'ana-lind']],
    ['nobody', []],
    ['--', []],
    ['@example', []],
  ])('%s', async (search, found) => {
    expect(await listed(ana, { search })).toEqual(found)
  })

  test('one character is refused; an empty search is none', async () => {
    for (const search of ['a', ' a ', '王']) await refused(ana.api.members.list({ search }), 400, 'invalid_search')
    expect(await listed(ana, { search: ' ' })).toHaveLength(6)
    expect((await ana.raw('GET', `/members?search=${'a'.repeat(201)}`)).body.code).toBe('invalid_parameter')
  })

  test('email search is for administrators', async () => {
    expect(await listed(admin, { search: 'CYD@example.org' })).toEqual(['cyd'])
    expect(await listed(admin, { search: 'example.org' })).toHaveLength(6)
    expect(await listed(admin, { search: '%@example' })).toEqual([])
    for (const who of [ana, mod]) expect(await listed(who, { search: 'example.org' })).toEqual([])
    expect((await ana.raw('GET', '/members?search=ana')).text).not.toContain('@example.org')
  })

  test('finds a new name, and no longer the old one', async () => {
    await zoe.api.profiles.update({ username: 'me', display_name: 'Renamed Person' })
    expect(await listed(ana, { search: 'renamed' })).toEqual(['zoe'])
    expect(await listed(ana, { search: 'von' })).toEqual([])
    await zoe.api.profiles.update({ username: 'me', display_name: 'Zoë von Ana' })
    expect(await listed(ana, { search: 'von' })).toEqual(['zoe'])
  })
})

describe('suggestions for a mention', () => {
  test('match the start of words first, then parts of words; never the caller', async () => {
    expect(await listed(bea, { mention: 'ana' })).toEqual(['ana-lind', 'zoe', 'cyd'])
    expect(await listed(ana, { mention: 'ana' })).toEqual(['zoe', 'cyd'])
    expect(await listed(bea, { mention: 'yd' })).toEqual([])
    expect(await listed(bea, { mention: 'erg' })).toEqual(['ana-lind'])
    expect(await listed(bea, { mention: '@gua' })).toEqual(['guard'])
    expect(await listed(ana, { mention: '王' })).toEqual(['bea_x'])
    expect(await listed(bea, { mention: 'lind an' })).toEqual(['ana-lind'])
    expect(await listed(ana, { mention: '!' })).toEqual([])
  })

  test('without text start with the most recently active', async () => {
    await seen(cyd, '2026-03-10 11:00:00')
    expect((await listed(ana, { mention: '@' }))[0]).toBe('cyd')
    expect(await listed(ana, { mention: '@' })).toHaveLength(5)
    await seen(cyd, null)
  })

  test('are at most ten, and limited to the members of a space', async () => {
    // One after the other: members with the same word in their name are ordered by id.
    const many: Member[] = []
    for (let i = 0; i < 12; i++) many.push(await world.member({ username: `crowd${i}`, displayName: `Crowd ${i}` }))
    const { members } = await ana.api.members.list({ mention: 'crowd', per_page: 100 })
    expect([members.data.length, members.total, members.per_page, members.current_page]).toEqual([10, 10, 10, 1])
    const space = await makeSpace(world, { members: [ana, ...many.slice(0, 2)] })
    expect(await listed(ana, { mention: 'cro', space_id: space.id })).toEqual(['crowd0', 'crowd1'])
    expect(await listed(ana, { mention: 'cro', space: space.slug })).toEqual(['crowd0', 'crowd1'])
    for (const who of many) await admin.api.members.update({ user_id: who.id, status: 'banned' })
    expect(await listed(ana, { mention: 'crowd' })).toEqual([])
  })
})

describe('active members', () => {
  test('now: the caller, and recently active members', async () => {
    const at = (minutes: number) => new Date(world.clock.now().getTime() - minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')
    await seen(cyd, at(5))
    await seen(zoe, at(14))
    await seen(bea, at(30))
    const { data, meta } = await ana.api.members.active()
    expect(data.map(({ username }) => username)).toEqual(['ana-lind', 'cyd', 'zoe'])
    expect(meta).toEqual({ total_online: 3 })
    expect(data[1]).toEqual({ id: cyd.id, username: 'cyd', display_name: 'Anastasia Cyd', avatar: '', last_seen: at(5), is_online: true })
    const hour = await ana.api.members.active({ minutes: 60, per_page: 2 })
    expect([hour.data.length, hour.meta.total_online]).toEqual([2, 4])
    await admin.api.members.update({ user_id: cyd.id, status: 'suspended' })
    expect((await ana.api.members.active()).meta.total_online).toBe(2)
    await admin.api.members.update({ user_id: cyd.id, status: 'active' })
    for (const who of [cyd, zoe, bea]) await seen(who, null)
  })

  test('new members', async () => {
    world.clock.advance(8 * 24 * 3600)
    const fresh = await world.member({ username: 'fresh' })
    const { data } = await ana.api.members.newest()
    expect(data).toEqual([
      {
        id: fresh.id,
        username: 'fresh',
        display_name: expect.any(String),
        avatar: '',
        last_seen: null,
        is_online: false,
        created_at: '2026-03-18 12:00:06',
      },
    ])
    expect((await ana.api.members.newest({ days: 30, per_page: 3 })).data.map(({ username }) => username)[0]).toBe('fresh')
    expect((await ana.api.members.newest({ days: 30, per_page: 3 })).data).toHaveLength(3)
    await admin.api.members.update({ user_id: fresh.id, status: 'banned' })
    expect((await ana.api.members.newest()).data).toEqual([])
  })
})

test('the list says whom the caller follows', async () => {
  const follows = async (who: Member, query: Query = {}) => (await who.api.members.list(query)).current_user_follows
  await bea.api.profiles.update({ username: 'me', is_private: true })
  expect(await follows(cyd)).toEqual({})
  await cyd.api.followers.follow({ username: ana.username })
  await cyd.api.followers.follow({ username: bea.username })
  expect(await follows(cyd)).toEqual({ [ana.id]: 1 })
  expect(await follows(cyd, { search: 'ana' })).toEqual({ [ana.id]: 1 })
  expect(await follows(cyd, { role: 'admin' })).toEqual({})
  expect([await follows(ana), await follows(cyd, { mention: 'lind' })]).toEqual([{}, { [ana.id]: 1 }])
  await cyd.api.followers.unfollow({ username: ana.username })
  expect(await follows(cyd)).toEqual({})
  await bea.api.profiles.update({ username: 'me', is_private: false })
  expect(await follows(cyd)).toEqual({ [bea.id]: 1 })
  await cyd.api.followers.unfollow({ username: bea.username })
})

describe('what is new', () => {
  const later = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1000).toISOString().slice(0, 19)

  test('since a time: who registered, and whose profile changed', async () => {
    world.clock.advance(60)
    const start = later(0)
    expect([await listed(ana, { since: start }), await listed(ana, { updated_since: start })]).toEqual([[], []])
    await ana.api.profiles.update({ username: 'me', location: 'Here' })
    world.clock.advance(1)
    const fay = await world.member({ username: 'fay' })
    world.clock.advance(1)
    expect(await listed(bea, { since: start })).toEqual(['fay'])
    expect(await listed(bea, { updated_since: start.replace('T', ' ') })).toEqual(['fay', 'ana-lind'])
    expect(await listed(bea, { updated_since: start, order: 'asc' })).toEqual(['ana-lind', 'fay'])
    expect(await listed(bea, { updated_since: start, orderby: 'display_name', role: 'member' })).toEqual(['ana-lind', 'fay'])
    expect(await listed(bea, { updated_since: start, since: start, search: 'fay' })).toEqual(['fay'])
    expect(await listed(bea, { updated_since: later(0) })).toEqual([])
    for (const field of ['since', 'updated_since'])
      for (const value of ['yesterday', '2026-02-30 00:00:00']) {
        const { status, body } = await ana.raw('GET', `/members?${field}=${encodeURIComponent(value)}`)
        expect([status, body.code, body.data.field]).toEqual([400, 'invalid_parameter', field])
      }
    await admin.api.members.update({ user_id: fay.id, status: 'banned' })
    expect(await listed(bea, { since: start })).toEqual([])
    await admin.api.privacy.deleteMember({ user_id: fay.id, content: 'anonymise' })
  })

  test('does not tell who changed their password or address', async () => {
    world.clock.advance(60)
    const start = later(0)
    const gus = await register(world)
    world.clock.advance(60)
    const browser = await signIn(world, gus.username)
    const changed = later(0)
    expect(
      (await browser.raw('POST', '/account/password', { current_password: gus.password, new_password: 'Other-river-9152' })).status,
    ).toBe(200)
    expect(await listed(bea, { updated_since: changed })).toEqual([])
    expect(await listed(bea, { updated_since: start })).toContain(gus.username)
  })
})
