import { DEFAULT_PERMISSIONS, type ManagerRole, PERMISSIONS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { saveSettings } from '../../settings/index.ts'

let world: World
let admin: Member
let space: Space
let other: Space

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  space = await makeSpace(world)
  other = await makeSpace(world)
})
afterAll(() => world.close())

const NOBODY = 987_654_321
const save = (who: Member, fields: Partial<Parameters<Member['api']['managers']['save']>[0]> = {}) =>
  admin.api.managers.save({ user_id: who.id, role: 'manager', ...fields })
const recordOf = async (who: Member) => (await admin.api.managers.list({ search: who.username })).managers[0]

describe('a manager record', () => {
  it.each(['admin', 'manager', 'moderator'] as const)(
    'of role %s gets the defaults of the role, for all spaces',
    async (role: ManagerRole) => {
      const who = await world.member()
      const { status, body } = await admin.api.managers.save.answer({ user_id: who.id, role })
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.any(Number),
        user_id: who.id,
        role,
        permissions: DEFAULT_PERMISSIONS[role],
        spaces: null,
        status: 'active',
        assigned_by: admin.id,
        created_at: '2026-03-10 12:00:00',
        updated_at: '2026-03-10 12:00:00',
        message: 'The manager was created.',
      })
    },
  )

  it('is unique per account: adding again replaces it and keeps its id', async () => {
    const who = await world.member()
    const first = await save(who, { permissions: ['pin_feeds'], spaces: [space.id], status: 'inactive' })
    const { status, body } = await admin.api.managers.save.answer({ user_id: who.id, role: 'moderator' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: first.id,
      role: 'moderator',
      permissions: DEFAULT_PERMISSIONS.moderator,
      spaces: null,
      status: 'active',
    })
    expect((await admin.api.managers.list({ search: who.email })).managers.map((row) => row.id)).toEqual([first.id])
  })

  it('stores each permission and space once, in order', async () => {
    const who = await world.member()
    const made = await save(who, { permissions: ['view_reports', 'manage_feeds', 'view_reports'], spaces: [other.id, space.id, other.id] })
    expect([made.permissions, made.spaces]).toEqual([
      ['manage_feeds', 'view_reports'],
      [space.id, other.id],
    ])
  })

  it('may have no permissions and no spaces', async () => {
    const who = await world.member()
    const made = await save(who, { permissions: [], spaces: [] })
    expect([made.permissions, made.spaces]).toEqual([[], []])
  })

  it('of an administrator allows everything everywhere, whatever was sent', async () => {
    const who = await world.member()
    const made = await save(who, { role: 'admin', permissions: ['pin_feeds'], spaces: [space.id] })
    expect([made.permissions, made.spaces]).toEqual([PERMISSIONS, null])
  })

  it('changes only the fields sent', async () => {
    const who = await world.member()
    await save(who, { permissions: ['pin_feeds'], spaces: [space.id] })
    world.clock.advance(60)
    expect(await admin.api.managers.update({ user_id: who.id, status: 'inactive' })).toMatchObject({
      role: 'manager',
      permissions: ['pin_feeds'],
      spaces: [space.id],
      status: 'inactive',
      created_at: '2026-03-10 12:00:00',
      updated_at: '2026-03-10 12:01:00',
      message: 'The manager was updated.',
    })
    expect(await admin.api.managers.update({ user_id: who.id, spaces: null })).toMatchObject({ spaces: null, permissions: ['pin_feeds'] })
    expect(await admin.api.managers.update({ user_id: who.id, permissions: ['manage_feeds'] })).toMatchObject({
      permissions: ['manage_feeds'],
    })
    expect(await admin.api.managers.update({ user_id: who.id, role: 'moderator' })).toMatchObject({
      role: 'moderator',
      permissions: DEFAULT_PERMISSIONS.moderator,
      status: 'inactive',
    })
  })

  it('takes effect immediately when created, paused, resumed and removed', async () => {
    const who = await world.member()
    const sees = async () => (await who.raw('GET', '/members?status=banned')).status
    expect(await sees()).toBe(403)
    await save(who)
    expect(await sees()).toBe(200)
    await admin.api.managers.update({ user_id: who.id, status: 'inactive' })
    expect(await sees()).toBe(403)
    await admin.api.managers.update({ user_id: who.id, status: 'active' })
    expect(await sees()).toBe(200)
    expect(await admin.api.managers.remove({ user_id: who.id })).toEqual({ message: 'The manager was removed.' })
    expect(await sees()).toBe(403)
    await refused(admin.api.managers.remove({ user_id: who.id }), 404, 'user_not_found')
  })

  it('loses a space when that is deleted, and stays limited', async () => {
    const who = await world.member()
    const doomed = await makeSpace(world)
    await save(who, { spaces: [doomed.id] })
    await admin.api.spaces.removeById({ space_id: doomed.id })
    await world.runPendingJobs()
    expect((await recordOf(who))?.spaces).toEqual([])
  })
})

describe('refused', () => {
  it('a missing account', async () => {
    await refused(admin.api.managers.save({ user_id: NOBODY, role: 'manager' }), 404, 'user_not_found')
    await refused(admin.api.managers.update({ user_id: NOBODY, role: 'manager' }), 404, 'user_not_found')
    await refused(admin.api.managers.remove({ user_id: NOBODY }), 404, 'user_not_found')
    await refused(admin.api.managers.update({ user_id: (await world.member()).id, role: 'manager' }), 404, 'user_not_found')
  })

  it.each([
    [{ role: 'owner' }, 'invalid_role'],
    [{ role: 7 }, 'invalid_role'],
    [{ role: 'manager', permissions: ['fly'] }, 'invalid_data'],
    [{ role: 'manager', permissions: 'manage_feeds' }, 'invalid_data'],
    [{ role: 'manager', spaces: ['garden'] }, 'invalid_data'],
    [{ role: 'manager', status: 'asleep' }, 'invalid_data'],
  ])('%j', async (fields, code) => {
    const who = await world.member()
    for (const [method, path, body] of [
      ['POST', '/admin/managers', { user_id: who.id, ...fields }],
      ['PUT', `/admin/managers/${admin.id}`, fields],
    ] as const) {
      const answer = await admin.raw(method, path, body)
      expect([method, answer.status, answer.body.code]).toEqual([method, 400, code])
    }
    expect(await recordOf(who)).toBeUndefined()
  })

  it('a missing space', async () => {
    const who = await world.member()
    await refused(save(who, { spaces: [space.id, NOBODY] }), 400, 'invalid_data')
    expect(await recordOf(who)).toBeUndefined()
  })

  it('a missing account id or role', async () => {
    const who = await world.member()
    const answers = [
      await admin.raw('POST', '/admin/managers', { role: 'manager' }),
      await admin.raw('POST', '/admin/managers', { user_id: who.id }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'missing_required_field'],
      [400, 'invalid_role'],
    ])
  })

  it('anyone but active administrators', async () => {
    const manager = await world.member({ role: 'manager' })
    await save(manager, { permissions: [...PERMISSIONS] })
    const paused = await world.member({ role: 'admin' })
    await admin.api.managers.update({ user_id: paused.id, status: 'inactive' })
    for (const who of [await world.member(), await world.member({ role: 'moderator' }), manager, paused]) {
      await refused(who.api.managers.list(), 403, 'rest_forbidden')
      await refused(who.api.managers.save({ user_id: who.id, role: 'admin' }), 403, 'rest_forbidden')
      await refused(who.api.managers.update({ user_id: who.id, role: 'admin' }), 403, 'rest_forbidden')
      await refused(who.api.managers.remove({ user_id: admin.id }), 403, 'rest_forbidden')
    }
    await refused(world.anonymous.managers.list(), 401, 'rest_forbidden')
  })

  it('everyone while the feature is disabled; existing records stay in effect', async () => {
    const manager = await world.member()
    await save(manager)
    await world.app.write(null, (ctx) => saveSettings(ctx, { features: { managers: false } }))
    await refused(admin.api.managers.list(), 403, 'pro_feature_required')
    expect((await manager.raw('GET', '/members?status=banned')).status).toBe(200)
    await world.app.write(null, (ctx) => saveSettings(ctx, { features: { managers: true } }))
    expect((await recordOf(manager))?.role).toBe('manager')
  })
})

describe('the last administrator', () => {
  it('cannot be removed, demoted or paused', async () => {
    const alone = await createWorld()
    try {
      const last = await alone.member({ role: 'admin' })
      await alone.member({ role: 'manager' })
      const { managers: mine } = last.api
      await refused(mine.remove({ user_id: last.id }), 409, 'last_admin')
      await refused(mine.update({ user_id: last.id, role: 'moderator' }), 409, 'last_admin')
      await refused(mine.update({ user_id: last.id, status: 'inactive' }), 409, 'last_admin')
      await refused(mine.save({ user_id: last.id, role: 'manager' }), 409, 'last_admin')
      await refused(mine.save({ user_id: last.id, role: 'admin', status: 'inactive' }), 409, 'last_admin')
      expect((await mine.update({ user_id: last.id, role: 'admin', spaces: [] })).role).toBe('admin')
    } finally {
      await alone.close()
    }
  })

  it('stays when several are removed concurrently', async () => {
    const few = await createWorld()
    try {
      const all = await Promise.all(Array.from({ length: 5 }, () => few.member({ role: 'admin' })))
      const going = all.map((who, i) =>
        i % 2 ? who.raw('DELETE', `/admin/managers/${who.id}`) : who.raw('PUT', `/admin/managers/${who.id}`, { role: 'manager' }),
      )
      const statuses = (await Promise.all(going)).map((answer) => answer.status)
      expect(statuses.sort()).toEqual([200, 200, 200, 200, 409])
    } finally {
      await few.close()
    }
  })
})

describe('the list', () => {
  it('contains all records, newest first, with their accounts', async () => {
    const who = await world.member({ displayName: 'Zoë Ångström' })
    const made = await save(who)
    const page = await admin.api.managers.list({ per_page: 1 })
    expect(page.managers).toMatchObject([{ id: made.id, xprofile: { user_id: who.id, display_name: 'Zoë Ångström' } }])
    expect(page.pagination).toMatchObject({ per_page: 1, current_page: 1 })
    expect((await admin.api.managers.list()).pagination.per_page).toBe(20)
    const second = await admin.api.managers.list({ per_page: 1, page: 2 })
    expect(second.managers[0]?.id).toBeLessThan(made.id)
    expect(second.pagination.total).toBe(page.pagination.total)
  })

  it('filters by role, status, name and email', async () => {
    const who = await world.member({ username: 'quentin', displayName: 'Quentin Fjord' })
    await save(who, { role: 'moderator', status: 'inactive' })
    const ids = async (query: Parameters<Member['api']['managers']['list']>[0]) =>
      (await admin.api.managers.list({ per_page: 100, ...query })).managers.map((row) => row.user_id)
    for (const search of ['fjord', who.username, who.email, who.email.toUpperCase()])
      expect(await ids({ search }), search).toEqual([who.id])
    expect(await ids({ role: 'moderator', status: 'inactive' })).toContain(who.id)
    expect(await ids({ role: 'admin' })).not.toContain(who.id)
    expect(await ids({ status: 'active' })).not.toContain(who.id)
    expect(await ids({ search: '%' })).toEqual([])
    await refused(admin.api.managers.list({ role: 'king' as 'admin' }), 400, 'invalid_role')
  })
})

it('every decision is in the audit log', async () => {
  const who = await world.member()
  await save(who, { permissions: ['pin_feeds'] })
  await admin.api.managers.remove({ user_id: who.id })
  const log = await admin.api.audit.list({ object_type: 'user' })
  expect(log.entries.filter((row) => row.object_id === who.id).map((row) => row.action)).toEqual(['manager.removed', 'manager.saved'])
})
