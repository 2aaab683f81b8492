import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const HOME = { title: 'Home', url: 'https://example.org/', icon: '🏡', enabled: true, new_tab: false }
const HELP = {
  title: '<b>Help</b>',
  url: 'http://example.org:8080/help?x=1#y',
  icon: 'https://example.org/help.svg',
  enabled: false,
  new_tab: true,
}
const list = async (who = admin) => (await who.api.links.list()).links
const withoutIds = (links: readonly object[]) => links.map((link) => ({ ...link, id: undefined }))

describe('custom links', () => {
  it('are empty by default', async () => {
    expect(await admin.api.links.list()).toEqual({ links: [] })
  })

  it('are replaced as a whole and keep their order', async () => {
    const { message, links } = await admin.api.links.save({ links: [HOME, HELP] })
    expect([message, withoutIds(links)]).toEqual(['The links were saved.', withoutIds([HOME, HELP])])
    expect(await list()).toEqual(links)
    expect(new Set(links.map(({ id }) => id)).size).toBe(2)
    await admin.api.links.save({ links: [HELP, HOME, HELP] })
    expect(withoutIds(await list())).toEqual(withoutIds([HELP, HOME, HELP]))
    expect(await admin.api.links.save({ links: [] })).toEqual({ message: 'The links were saved.', links: [] })
    expect(await list()).toEqual([])
  })

  it('have defaults and are saved as they were returned', async () => {
    const { links } = await admin.api.links.save({ links: [{ title: 'Home', url: HOME.url }] })
    expect(withoutIds(links)).toEqual([{ title: 'Home', url: HOME.url, icon: '', enabled: true, new_tab: false, id: undefined }])
    await admin.raw('POST', '/feeds/links', { links })
    expect(withoutIds(await list())).toEqual(withoutIds(links))
    await admin.raw('POST', '/feeds/links', { links: [{ ...HOME, icon: null, enabled: 0, new_tab: 1, user_id: 5 }] })
    expect(withoutIds(await list())).toEqual(withoutIds([{ ...HOME, icon: '', enabled: false, new_tab: true }]))
  })

  it('are validated before any is replaced', async () => {
    await admin.api.links.save({ links: [HOME] })
    const bad = [
      [{ url: 'javascript:alert(1)' }, 'invalid_url', 'links.1.url'],
      [{ url: 'data:text/html,x' }, 'invalid_url', 'links.1.url'],
      [{ url: '//example.org' }, 'invalid_url', 'links.1.url'],
      [{ url: '/feeds' }, 'invalid_url', 'links.1.url'],
      [{ url: '' }, 'invalid_url', 'links.1.url'],
      [{ url: 'https://user:pass@example.org' }, 'invalid_url', 'links.1.url'],
      [{ icon: 'javascript:alert(1)' }, 'invalid_url', 'links.1.icon'],
      [{ icon: ' data:image/svg+xml,<svg onload=x>' }, 'invalid_url', 'links.1.icon'],
      [{ title: '  ' }, 'invalid_data', 'links.1.title'],
      [{ title: '' }, 'invalid_data', 'links.1.title'],
      [{ title: 'x'.repeat(201) }, 'invalid_data', 'links.1.title'],
      [{ title: undefined }, 'missing_required_field', 'links.1.title'],
      [{ url: undefined }, 'missing_required_field', 'links.1.url'],
      [{ enabled: 'yes' }, 'invalid_data', 'links.1.enabled'],
    ] as const
    for (const [change, code, field] of bad) {
      const { status, body } = await admin.raw('POST', '/feeds/links', { links: [HELP, { ...HOME, ...change }] })
      const found = body.data.errors ? Object.keys(body.data.errors)[0] : body.data.field
      expect({ change, status, code: body.code, field: found }).toEqual({ change, status: 400, code, field })
    }
    for (const links of [undefined, null, {}, 'x', [5], Array.from({ length: 101 }, () => HOME)]) {
      expect((await admin.raw('POST', '/feeds/links', { links })).status).toBe(400)
    }
    expect(withoutIds(await list())).toEqual(withoutIds([HOME]))
  })

  it('are managed by administrators only', async () => {
    for (const who of [await world.member(), await world.member({ role: 'moderator' }), await world.member({ role: 'manager' })]) {
      await refused(who.api.links.list(), 403, 'rest_forbidden')
      await refused(who.api.links.save({ links: [] }), 403, 'rest_forbidden')
      expect((await who.raw('POST', '/feeds/links', { links: 'nonsense' })).status).toBe(403)
    }
    await refused(world.anonymous.links.list(), 401, 'rest_forbidden')
    await refused(world.anonymous.links.save({ links: [] }), 401, 'rest_forbidden')
  })

  it('saved concurrently by two administrators are never mixed', async () => {
    const other = await world.member({ role: 'admin' })
    for (let i = 0; i < 8; i++) {
      const lists = [admin, other].map((_, n) => Array.from({ length: 5 + n }, (_, at) => ({ ...HOME, title: `${n} ${at}` })))
      await Promise.all([admin, other].flatMap((who, n) => [1, 2].map(() => who.api.links.save({ links: lists[n] ?? [] }))))
      const titles = (await list()).map(({ title }) => title)
      expect(lists.map((links) => links.map(({ title }) => title))).toContainEqual(titles)
    }
  })
})
