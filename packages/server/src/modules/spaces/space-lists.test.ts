import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant, makeSpace } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { listSpaces } from './index.ts'

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
})
afterAll(() => world.close())

const make = async (title: string, more: object = {}) => {
  world.clock.advance(1)
  return (await admin.api.spaces.create({ title, ...more })).data
}
const titles = (spaces: readonly { title: string }[]) => spaces.map((space) => space.title)

describe('GET /spaces', () => {
  test('filters, sorts and paginates', async () => {
    const group = (await admin.api.spaceGroups.create({ title: 'Fruit' })).space_group
    await make('Fruit pear', { parent_id: group.id, type: 'discussion' })
    await make('Fruit apple', { parent_id: group.id, privacy: 'private' })
    await make('Fruit Zest', { status: 'archived' })
    await make('Fruit fig')
    const list = async (query: object) => titles((await ana.api.spaces.list({ search: 'fruit', ...query })).spaces)
    expect(await list({ parent_id: group.id })).toEqual(['Fruit pear', 'Fruit apple'])
    expect(await list({ parent_id: 0 })).toEqual(['Fruit fig'])
    expect(await list({ orderby: 'title' })).toEqual(['Fruit apple', 'Fruit fig', 'Fruit pear'])
    expect(await list({ orderby: 'title', order: 'desc' })).toEqual(['Fruit pear', 'Fruit fig', 'Fruit apple'])
    expect(await list({ orderby: 'created_at', order: 'desc' })).toEqual(['Fruit fig', 'Fruit apple', 'Fruit pear'])
    expect(await list({ privacy: 'private' })).toEqual(['Fruit apple'])
    expect(await list({ type: 'discussion' })).toEqual(['Fruit pear'])
    expect(await list({ status: 'archived' })).toEqual(['Fruit Zest'])
    const page = await ana.api.spaces.list({ search: 'fruit', orderby: 'title', per_page: 2, page: 2 })
    expect(titles(page.spaces)).toEqual(['Fruit pear'])
    expect(page.pagination).toEqual({ total: 3, per_page: 2, current_page: 2, total_pages: 2 })
    expect((await ana.raw('GET', '/spaces?orderby=id')).body).toMatchObject({ code: 'invalid_parameter', data: { field: 'orderby' } })
    expect((await ana.raw('GET', '/spaces?per_page=0')).body.code).toBe('invalid_parameter')
  })

  test('searches title and description as plain text', async () => {
    await make('Needle 100%', { description: 'in a hay_stack' })
    const found = async (search: string) => titles((await ana.api.spaces.list({ search })).spaces)
    expect(await found('NEEDLE')).toEqual(['Needle 100%'])
    expect(await found('HAY_STACK')).toEqual(['Needle 100%'])
    expect(await found('100%')).toEqual(['Needle 100%'])
    expect(await found('hay%stack')).toEqual([])
    expect(await found('hayxstack')).toEqual([])
    expect(await found('\\')).toEqual([])
    expect(await found("') or 1=1 --")).toEqual([])
  })
})

describe('GET /spaces/discover and all-spaces', () => {
  test('paginate with links that keep the other parameters', async () => {
    for (const title of ['Disc b', 'Disc a', 'Disc c']) await make(title)
    const { spaces, execution_time } = await ana.api.spaces.discover({ search: 'disc', per_page: 2, page: 1 })
    expect(titles(spaces.data)).toEqual(['Disc a', 'Disc b'])
    expect(spaces).toMatchObject({ total: 3, last_page: 2, from: 1, to: 2, prev_page_url: null })
    expect(execution_time).toBeGreaterThanOrEqual(0)
    const next = await ana.raw('GET', String(spaces.next_page_url).replace(world.base, ''))
    expect(titles(next.body.spaces.data)).toEqual(['Disc c'])
    expect(titles((await ana.api.spaces.discover({ search: 'disc', sort_by: 'latest' })).spaces.data)).toEqual([
      'Disc c',
      'Disc a',
      'Disc b',
    ])
    expect(titles((await ana.api.spaces.discover({ search: 'disc', sort_by: 'oldest' })).spaces.data)).toEqual([
      'Disc b',
      'Disc a',
      'Disc c',
    ])
  })

  test('differ in drafts, archived and secret spaces', async () => {
    await make('Kind open')
    await make('Kind archived', { status: 'archived' })
    await make('Kind draft', { status: 'draft' })
    const secret = await makeSpace(world, { privacy: 'secret' })
    await world.app.services.database.write((db) =>
      db.updateTable('spaces').set({ title: 'Kind secret' }).where('id', '=', secret.id).execute(),
    )
    const discovered = async (who: Member, more: object = {}) =>
      titles((await who.api.spaces.discover({ search: 'kind ', ...more })).spaces.data)
    const all = async (who: Member) => titles((await who.api.spaces.all({ search: 'kind ' })).spaces.data)
    expect(await discovered(ana)).toEqual(['Kind open'])
    expect(await discovered(admin)).toEqual(['Kind open'])
    expect(await discovered(ana, { type: 'joined' })).toEqual([])
    expect(await discovered(admin, { type: 'joined' })).toEqual(['Kind archived', 'Kind draft', 'Kind open'])
    expect(await all(ana)).toEqual(['Kind archived', 'Kind open'])
    expect(await all(admin)).toEqual(['Kind archived', 'Kind draft', 'Kind open', 'Kind secret'])
  })
})

test('the spaces of a member are limited to those visible to the caller', async () => {
  const ben = await world.member()
  const open = await makeSpace(world, { members: [ben] })
  const secret = await makeSpace(world, { privacy: 'secret', members: [ben] })
  const spacesOfBen = async (who: Member) => {
    const actor = {
      id: who.id,
      username: '',
      role: 'member',
      permissions: new Set<never>(),
      managedSpaces: null,
      createdAt: '',
      sessionId: null,
    } as const
    const db = world.app.services.database.read
    const { rows: spaces } = await listSpaces(db, actor, { member: ben.id }, { by: 'title', direction: 'asc' }, { limit: 10, offset: 0 })
    return spaces.map((space) => space.id)
  }
  expect(await spacesOfBen(ana)).toEqual([open.id])
  expect(await spacesOfBen(ben)).toEqual([open.id, secret.id])
})

describe('query plans', () => {
  const steps = async (work: () => Promise<unknown>) =>
    (await plansOf(world.app.services.database.read, work)).flatMap((plan) => plan.steps.map((step) => ({ sql: plan.sql, step })))

  test('lists of spaces are read from an index in order', async () => {
    if (world.dialect !== 'sqlite') return
    const limited = await world.member({ role: 'manager' })
    await grant(world, limited, ['manage_spaces'], [await makeSpace(world)])
    for (const who of [ana, limited, admin]) {
      const all = await steps(async () => {
        for (const orderby of ['serial', 'title', 'created_at'] as const) {
          for (const order of ['asc', 'desc'] as const) await who.api.spaces.list({ orderby, order })
        }
        await who.api.spaces.list({ parent_id: 1 })
        for (const sort_by of ['alphabetical', 'oldest', 'latest'] as const) await who.api.spaces.discover({ sort_by })
        await who.api.spaces.all()
        await who.api.spaceGroups.list()
      })
      expect(all.filter(({ step }) => step.includes('TEMP B-TREE'))).toEqual([])
      // Spaces are few, so a list may scan all of them in order; nothing else is scanned.
      expect(
        all.filter(({ step }) => step.startsWith('SCAN') && !/^SCAN (s|space_groups)( USING (COVERING )?INDEX \w+)?$/.test(step)),
      ).toEqual([])
      expect(all.filter(({ sql, step }) => step === 'SCAN s' && sql.includes('order by'))).toEqual([])
    }
  })

  test('members are read from an index in order', async () => {
    if (world.dialect !== 'sqlite') return
    const space = await makeSpace(world, { admins: [ana] })
    const path = { space_slug: space.slug }
    const all = await steps(async () => {
      await ana.api.spaces.bySlug(path)
      for (const order of ['asc', 'desc'] as const) {
        for (const page of [1, 40]) {
          await ana.api.spaceMembers.list({ ...path, order, page })
          await ana.api.spaceMembers.list({ ...path, order, page, role: 'member' })
        }
      }
      await ana.api.spaceMembers.list({ ...path, role: 'admin' })
      await ana.api.spaceMembers.list({ ...path, role: 'member', search: 'a' })
      await ana.api.spaceMembers.list({ ...path, status: 'pending' })
    })
    expect(all.filter(({ step }) => step.startsWith('SCAN') || step.includes('TEMP B-TREE'))).toEqual([])
    expect(all.some(({ step }) => step.includes('space_members_leaders'))).toBe(true)
    // A far page skips rows within the index.
    const far = all.filter(({ sql }) => sql.startsWith('select m.id from space_members m'))
    expect(far.length).toBeGreaterThan(0)
    expect(far.filter(({ step }) => !step.includes('USING COVERING INDEX space_members_joined'))).toEqual([])
  })
})
