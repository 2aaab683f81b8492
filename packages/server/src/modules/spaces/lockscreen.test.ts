import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

describe('the lock screen of a space', () => {
  const sections = [{ type: 'block' as const, content: '<p>Hi</p><img src=x onerror=alert(1)>', heading: '<b>Plain</b>' }]
  const seenBy = async (who: Member, space_slug: string) => (await who.api.spaces.lockscreens({ space_slug })).lockscreen
  const makeLocked = async (privacy: 'private' | 'public' = 'private') => {
    const { id, slug } = await makeSpace(world, { privacy })
    await admin.api.spaces.saveLockscreens({ space_slug: slug, enabled: true, lockscreen: sections })
    return { id, slug }
  }

  test('is shown to those who are locked out, while it is enabled', async () => {
    const { id, slug } = await makeLocked()
    expect(await seenBy(ana, slug)).toMatchObject([
      { content: expect.stringMatching(/^<p>Hi<\/p>(<img[^>]*>)?$/), heading: '<b>Plain</b>' },
    ])
    expect(JSON.stringify(await seenBy(ana, slug))).not.toMatch(/onerror/)
    await ana.raw('POST', `/spaces/${slug}/join`)
    expect(await seenBy(ana, slug)).toHaveLength(1)
    await world.app.write(null, ({ db }) =>
      db.updateTable('space_members').set({ status: 'active' }).where('space_id', '=', id).where('user_id', '=', ana.id).execute(),
    )
    expect([await seenBy(ana, slug), await seenBy(ben, slug), await seenBy(admin, slug)].map((list) => list.length)).toEqual([0, 1, 1])
    await admin.api.spaces.saveLockscreens({ space_slug: slug, enabled: false })
    expect([await seenBy(ben, slug), await seenBy(admin, slug)].map((list) => list.length)).toEqual([0, 1])
    expect((await ben.api.spaces.bySlug({ space_slug: slug })).data.lockscreen_config).toMatchObject({ showCustom: false, lockScreen: [] })
  })

  test('shows affected viewers whether it is enabled, by either setting', async () => {
    const { id, slug } = await makeLocked()
    const onFor = async (who: Member) => (await who.api.spaces.lockscreens({ space_slug: slug })).enabled
    expect([await onFor(admin), await onFor(ben)]).toEqual([true, true])
    await admin.api.spaces.saveLockscreens({ space_slug: slug, enabled: false })
    expect([await onFor(admin), await onFor(ben)]).toEqual([false, false])
    await admin.api.spaces.updateById({ space_id: id, settings: { custom_lock_screen: 'yes' } })
    expect([await onFor(admin), await onFor(ben)]).toEqual([true, true])
    await admin.api.spaceMembers.add({ space_slug: slug, user_id: ben.id })
    expect(await onFor(ben)).toBe(false)
  })

  test('of a public space is shown to nobody', async () => {
    const { slug } = await makeLocked('public')
    expect([await seenBy(ben, slug), (await seenBy(admin, slug)).length]).toEqual([[], 1])
  })

  test('accepts only valid colors', async () => {
    const { slug } = await makeLocked()
    const paint = async (heading_color: string) =>
      (await admin.raw('PUT', `/spaces/${slug}/lockscreens`, { enabled: true, lockscreen: [{ heading_color }] })).status
    for (const color of ['', 'white', '#fff', '#FFffFF80', 'rgb(1, 2, 3)', 'rgba(1, 2, 3, 0.5)', 'hsl(120 100% 25%)'])
      expect([color, await paint(color)]).toEqual([color, 200])
    for (const color of ['url(https://evil.example)', 'red;background:url(x)', 'expression(alert(1))', '#12', 'var(--x)', 'rgb(url(x))'])
      expect([color, await paint(color)]).toEqual([color, 400])
  })
})
