import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsWith } from '#test/fixtures.ts'
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

type NewSpace = Parameters<Member['api']['spaces']['create']>[0]

let made = 0
const makeSpace = async (fields: Partial<NewSpace> = {}) => {
  made += 1
  return (await admin.api.spaces.create({ title: `A space ${made}`, ...fields })).data
}
const read = async (who: Member, id: number) => (await who.api.spaces.byId({ space_id: id })).data
const DEFAULTS = {
  restricted_post_only: 'no',
  custom_lock_screen: 'no',
  can_request_join: 'no',
  layout_style: 'timeline',
  show_sidebar: 'yes',
  links: [],
  members_page_status: 'members_only',
  default_post_sort_by: '',
  document_upload: 'admin_only',
  allow_posts: true,
  require_approval: false,
}

describe('creating a space', () => {
  test('responds 201 with its id, and the creator is its admin', async () => {
    const { status, body } = await admin.api.spaces.create.answer({
      title: '  Garden \n talk ',
      description: 'About <b>soil</b><script>x</script>',
    })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      title: 'Garden talk',
      slug: 'garden-talk',
      privacy: 'public',
      status: 'published',
      created_at: '2026-03-10 12:00:00',
    })
    const space = await read(admin, body.data.id)
    expect(space).toMatchObject({
      created_by: admin.id,
      creator: { id: admin.id, username: admin.username },
      description: 'About <b>soil</b><script>x</script>',
      description_rendered: 'About <b>soil</b>',
      type: 'community',
      members_count: 1,
      posts_count: 0,
      is_member: true,
      role: 'admin',
      space_pivot: { role: 'admin', status: 'active' },
      membership: { user_id: admin.id, role: 'admin', status: 'active', joined_at: '2026-03-10 12:00:00' },
      settings: DEFAULTS,
      topics: [],
      lockscreen_config: null,
    })
    expect(await eventsWith(world, { space_id: space.id })).toEqual(['space.created'])
  })

  test('needs a title', async () => {
    expect((await refused(admin.api.spaces.create({} as NewSpace), 400, 'missing_required_field')).data).toMatchObject({ field: 'title' })
    await refused(makeSpace({ title: ' \n ' }), 400, 'invalid_data')
    await refused(makeSpace({ title: 'x'.repeat(195) }), 400, 'invalid_data')
    await makeSpace({ title: 'ü'.repeat(194) })
  })

  test('accepts only http(s) URLs', async () => {
    for (const field of ['logo', 'cover_photo'] as const) {
      const error = await refused(makeSpace({ [field]: 'javascript:alert(1)' }), 400, 'invalid_url')
      expect(error.data).toMatchObject({ field })
    }
    const { id } = await makeSpace({ logo: 'https://example.org/logo.png', cover_photo: '' })
    expect(await read(ana, id)).toMatchObject({ logo: 'https://example.org/logo.png', cover_photo: '' })
  })

  test('limits the description in bytes', async () => {
    await refused(makeSpace({ description: 'ü'.repeat(5001) }), 400, 'invalid_data')
    await makeSpace({ description: 'ü'.repeat(5000) })
  })

  test('refuses values outside the enums', async () => {
    for (const bad of [{ privacy: 'hidden' }, { status: 'gone' }, { type: 'course' }, { settings: { layout_style: 'cards' } }]) {
      expect((await admin.raw('POST', '/spaces', { title: 'x', ...bad })).body).toMatchObject({ code: 'invalid_data' })
    }
  })

  test('requires an administrator or a space manager without limits', async () => {
    await refused(ana.api.spaces.create({ title: 'Mine' }), 403, 'rest_forbidden')
    await refused((await world.member({ role: 'moderator' })).api.spaces.create({ title: 'Mine' }), 403, 'rest_forbidden')
    expect((await ana.raw('POST', '/spaces', {})).status).toBe(403)
  })

  test('appends new spaces to their group', async () => {
    const { id: group } = (await admin.api.spaceGroups.create({ title: 'Places' })).space_group
    const one = await makeSpace({ parent_id: group })
    const two = await makeSpace({ parent_id: group })
    expect([await read(admin, one.id), await read(admin, two.id)].map(({ parent_id, serial }) => [parent_id, serial])).toEqual([
      [group, 1],
      [group, 2],
    ])
    await refused(makeSpace({ parent_id: 987654 }), 400, 'invalid_data')
  })
})

describe('slugs', () => {
  test('of secret spaces, and of topics offered only there, are never the plain ones', async () => {
    const secret = await makeSpace({ title: 'Board of owners', privacy: 'secret' })
    expect(secret.slug).toMatch(/^board-of-owners-[a-z2-7]{6}$/)
    expect((await makeSpace({ title: 'Board of owners' })).slug).toBe('board-of-owners')
    const topic = (more: object) => admin.api.adminTopics.create({ title: 'Sale of land', ...more })
    expect((await topic({ space_ids: [secret.id] })).slug).toMatch(/^sale-of-land-[a-z2-7]{6}$/)
    expect((await topic({})).slug).toBe('sale-of-land')
  })

  test('are derived from the title and made unique', async () => {
    const spaces = await Promise.all(Array.from({ length: 8 }, () => makeSpace({ title: 'Über uns' })))
    const slugs = spaces.map((space) => space.slug)
    expect(new Set(slugs).size).toBe(8)
    expect(slugs.filter((slug) => slug === 'uber-uns')).toHaveLength(1)
    expect(slugs.filter((slug) => /^uber-uns-[a-z2-7]{6}$/.test(slug))).toHaveLength(7)
  })

  test('exist for titles in any script and of any length', async () => {
    expect((await makeSpace({ title: '园艺' })).slug).toMatch(/^space/)
    const long = 'word '.repeat(38).trim()
    const [first, second] = [await makeSpace({ title: long }), await makeSpace({ title: long })]
    expect(first.slug.length).toBeLessThanOrEqual(194)
    expect(second.slug.length).toBeLessThanOrEqual(194)
  })

  test('must be free if requested', async () => {
    const { slug } = await makeSpace({ slug: 'My_Own-1' })
    expect(slug).toBe('my_own-1')
    await refused(makeSpace({ slug: 'my_own-1' }), 400, 'duplicate_slug')
    await refused(makeSpace({ slug: 'no spaces' }), 400, 'invalid_data')
    const group = (await admin.api.spaceGroups.create({ title: 'Shelves', slug: 'shelves' })).space_group
    await refused(makeSpace({ slug: group.slug }), 400, 'duplicate_slug')
    await refused(admin.api.spaceGroups.create({ title: 'x', slug: 'my_own-1' }), 400, 'duplicate_slug')
  })

  test('of hidden spaces are not revealed by an error', async () => {
    const owner = await world.member()
    const [own, open] = [await makeSpace(), await makeSpace({ slug: 'open-room' })]
    await admin.api.spaceMembers.add({ space_slug: own.slug, user_id: owner.id, role: 'admin' })
    const rename = async (slug: string) => (await owner.api.spaces.updateById({ space_id: own.id, slug })).data.slug
    for (const hidden of [{ privacy: 'secret' as const }, { status: 'draft' as const }]) {
      const { slug } = await makeSpace({ slug: `hidden-${'privacy' in hidden ? 'room' : 'plan'}`, ...hidden })
      const got = await rename(slug)
      expect(got.slice(0, -6)).toBe(`${slug}-`)
      expect((await owner.api.spaces.bySlug({ space_slug: got })).data.id).toBe(own.id)
    }
    await refused(rename(open.slug), 400, 'duplicate_slug')
  })

  test('are never path words', async () => {
    for (const slug of ['discover', 'all-spaces', 'space_groups', 'users']) await refused(makeSpace({ slug }), 400, 'duplicate_slug')
    expect((await makeSpace({ title: 'Discover' })).slug).toMatch(/^discover-[a-z2-7]{6}$/)
  })

  test('go to one of many concurrent requests', async () => {
    const calls = await Promise.allSettled(Array.from({ length: 8 }, () => makeSpace({ slug: 'wanted' })))
    expect(calls.filter((call) => call.status === 'fulfilled')).toHaveLength(1)
    const refusals = calls.flatMap((call) => (call.status === 'rejected' ? [(call.reason as { code: string }).code] : []))
    expect(new Set(refusals)).toEqual(new Set(['duplicate_slug']))
  })
})

describe('updating a space', () => {
  test('changes only the fields sent', async () => {
    const { id, slug } = await makeSpace({ description: 'old', privacy: 'private' })
    world.clock.advance(60)
    const { data } = await admin.api.spaces.updateById({ space_id: id, title: 'New name' })
    expect(data).toMatchObject({ id, title: 'New name', slug })
    await admin.api.spaces.updateBySlug({ space_slug: slug, description: 'new', status: 'archived', logo: null })
    const space = await read(admin, id)
    expect(space).toMatchObject({
      title: 'New name',
      slug,
      description: 'new',
      privacy: 'private',
      status: 'archived',
      updated_at: data.updated_at,
    })
    expect(space.updated_at > space.created_at).toBe(true)
    expect(await eventsWith(world, { space_id: id })).toEqual(['space.created', 'space.updated', 'space.updated'])
  })

  test('can change the slug to a free one', async () => {
    const [one, two] = [await makeSpace(), await makeSpace()]
    await refused(admin.api.spaces.updateById({ space_id: one.id, slug: two.slug }), 400, 'duplicate_slug')
    await admin.api.spaces.updateById({ space_id: one.id, slug: one.slug })
    await admin.api.spaces.updateById({ space_id: one.id, slug: 'renamed' })
    await refused(admin.api.spaces.bySlug({ space_slug: one.slug }), 404, 'space_not_found')
    expect((await admin.api.spaces.bySlug({ space_slug: 'renamed' })).data.id).toBe(one.id)
  })

  test('can move it between groups', async () => {
    const { id: group } = (await admin.api.spaceGroups.create({ title: 'Rooms' })).space_group
    const { id } = await makeSpace()
    await admin.api.spaces.updateById({ space_id: id, parent_id: group })
    expect(await read(admin, id)).toMatchObject({ parent_id: group, serial: 1 })
    await refused(admin.api.spaces.updateById({ space_id: id, parent_id: 987654 }), 400, 'invalid_data')
    await admin.api.spaces.updateById({ space_id: id, parent_id: 0 })
    expect((await read(admin, id)).parent_id).toBeNull()
  })

  test('merges settings by key and ignores unknown ones', async () => {
    const { id } = await makeSpace({ settings: { emoji: '🌱', show_sidebar: 'no' } })
    await admin.raw('PUT', `/spaces/${id}/by-id`, { settings: { layout_style: 'list', nonsense: 1 } })
    const { settings } = await read(admin, id)
    expect(settings).toMatchObject({ ...DEFAULTS, emoji: '🌱', show_sidebar: 'no', layout_style: 'list' })
    expect(settings).not.toHaveProperty('nonsense')
  })

  test('keeps either emoji or shape; the shape wins if both are sent', async () => {
    const shape_svg = '<svg viewBox="0 0 9 9"><path d="M0 0h9"/></svg>'
    const { id } = await makeSpace({ settings: { emoji: '🌱', shape_svg } })
    expect((await read(admin, id)).settings).toMatchObject({ emoji: '', shape_svg })
    await admin.api.spaces.updateById({ space_id: id, settings: { emoji: '🌳' } })
    expect((await read(admin, id)).settings).toMatchObject({ emoji: '🌳', shape_svg: '' })
    const bad = { shape_svg: '<svg onload="alert(1)"></svg>' }
    await refused(admin.api.spaces.updateById({ space_id: id, settings: bad }), 400, 'invalid_data')
  })

  test('needs a URL for a redirect', async () => {
    const { id } = await makeSpace({ privacy: 'private' })
    const change = (settings: NewSpace['settings']) => admin.api.spaces.updateById({ space_id: id, settings })
    await refused(change({ custom_lock_screen: 'redirect' }), 400, 'invalid_data')
    await refused(change({ custom_lock_screen: 'redirect', onboard_redirect_url: 'ftp://x' }), 400, 'invalid_url')
    await change({ custom_lock_screen: 'redirect', onboard_redirect_url: 'https://example.org/start' })
    expect((await read(ana, id)).lockscreen_config).toMatchObject({ redirect_url: 'https://example.org/start' })
    await admin.api.spaces.updateById({ space_id: id, privacy: 'public' })
    expect((await read(ana, id)).settings.custom_lock_screen).toBe('no')
  })

  test('keeps extension fields, visible to managers', async () => {
    const { id, slug } = await makeSpace()
    expect(await admin.api.spaces.metaSettings({ space_slug: slug })).toEqual({ meta_settings: null })
    await admin.api.spaces.updateById({ space_id: id, meta_settings: { plan: { seats: 5 } } })
    await admin.api.spaces.updateById({ space_id: id, settings: { emoji: 'x' } })
    expect(await admin.api.spaces.metaSettings({ space_slug: slug })).toEqual({ meta_settings: { plan: { seats: 5 } } })
    expect((await read(admin, id)).settings).not.toHaveProperty('meta_settings')
    await admin.api.spaces.updateById({ space_id: id, meta_settings: null })
    expect(await admin.api.spaces.metaSettings({ space_slug: slug })).toEqual({ meta_settings: null })
  })

  test('keeps both of two concurrent changes', async () => {
    const { id } = await makeSpace()
    await Promise.all([
      admin.api.spaces.updateById({ space_id: id, settings: { emoji: 'a' } }),
      admin.api.spaces.updateById({ space_id: id, settings: { layout_style: 'list' } }),
      admin.api.spaces.updateById({ space_id: id, settings: { show_paywalls: 'yes' } }),
    ])
    expect((await read(admin, id)).settings).toMatchObject({ emoji: 'a', layout_style: 'list', show_paywalls: 'yes' })
  })
})

describe('header links', () => {
  const link = { title: 'Rules', permalink: 'https://example.org/rules' }

  test('are replaced as a whole', async () => {
    const { slug } = await makeSpace()
    const { links } = await admin.api.spaces.saveLinks({ space_slug: slug, links: [link, link] })
    expect(links).toEqual([
      {
        ...link,
        slug: 'rules',
        enabled: 'yes',
        new_tab: 'no',
        emoji: '',
        icon_image: '',
        shape_svg: '',
        privacy: 'public',
        membership_ids: [],
      },
      expect.objectContaining({ slug: 'rules-2' }),
    ])
    expect((await admin.api.spaces.saveLinks({ space_slug: slug, links: [] })).links).toEqual([])
  })

  test('accept only http(s) URLs', async () => {
    const { slug } = await makeSpace()
    const save = (more: object) => admin.api.spaces.saveLinks({ space_slug: slug, links: [{ ...link, ...more }] })
    expect((await refused(save({ permalink: 'javascript:alert(1)' }), 400, 'invalid_url')).data).toMatchObject({
      field: 'links.0.permalink',
    })
    await refused(save({ icon_image: 'data:image/png;base64,x' }), 400, 'invalid_url')
    await refused(save({ shape_svg: '<svg><script/></svg>' }), 400, 'invalid_data')
  })

  test('are shown to the members they are meant for', async () => {
    const [{ id, slug }, club] = [await makeSpace(), await makeSpace()]
    const [member, clubber] = [await world.member(), await world.member()]
    await member.api.spaceMembers.join({ space_slug: slug })
    await clubber.api.spaceMembers.join({ space_slug: club.slug })
    const links = [
      { ...link, title: 'All' },
      { ...link, title: 'Off', enabled: 'no' as const },
      { ...link, title: 'Strangers', privacy: 'logged_out_only' as const },
      { ...link, title: 'Members', privacy: 'members_only' as const },
      { ...link, title: 'Club', privacy: 'members_only' as const, membership_ids: [club.id] },
    ]
    await admin.api.spaces.saveLinks({ space_slug: slug, links })
    const seen = async (who: Member) => (await read(who, id)).settings.links.map(({ title, membership_ids }) => [title, membership_ids])
    expect(await seen(admin)).toHaveLength(5)
    expect(await seen(ana)).toEqual([['All', []]])
    expect(await seen(member)).toEqual([
      ['All', []],
      ['Members', []],
    ])
    expect(await seen(clubber)).toEqual([
      ['All', []],
      ['Club', []],
    ])
  })
})

describe('the lock screen', () => {
  test('shows its message, or the configured sections', async () => {
    const { id, slug } = await makeSpace({ privacy: 'private', settings: { can_request_join: 'yes' } })
    expect((await read(ana, id)).lockscreen_config).toEqual({
      is_pending: false,
      showCustom: false,
      showPaywalls: false,
      showWelcomeBanner: false,
      canSendRequest: true,
      lockScreen: [],
      redirect_url: '',
    })
    const saved = await admin.api.spaces.saveLockscreens({
      space_slug: slug,
      enabled: true,
      message: 'Members only',
      button_url: 'https://example.org/',
    })
    expect(saved.lockscreen).toEqual({
      enabled: true,
      type: 'custom',
      conditions: {},
      message: 'Members only',
      button_text: '',
      button_url: 'https://example.org/',
    })
    expect((await ana.api.spaces.lockscreens({ space_slug: slug })).lockscreen).toMatchObject([
      { name: 'action', description: 'Members only', button_link: 'https://example.org/' },
    ])
    const lockscreen = [
      { type: 'block' as const, content: '<p onclick="x">Hi</p><script>x</script>' },
      { type: 'image' as const, hidden: true },
    ]
    await admin.api.spaces.saveLockscreens({ space_slug: slug, enabled: true, lockscreen })
    const sections = async (who: Member) =>
      (await who.api.spaces.lockscreens({ space_slug: slug })).lockscreen.map(({ type, content }) => [type, content])
    expect(await sections(ana)).toEqual([['block', '<p>Hi</p>']])
    expect(await sections(admin)).toEqual([
      ['block', '<p>Hi</p>'],
      ['image', ''],
    ])
    expect((await read(ana, id)).lockscreen_config).toMatchObject({ showCustom: true, lockScreen: [{ type: 'block' }] })
    await ana.api.spaceMembers.join({ space_slug: slug })
    expect((await read(ana, id)).lockscreen_config).toMatchObject({ is_pending: true, canSendRequest: false })
    expect((await read(admin, id)).lockscreen_config).toBeNull()
  })

  test('accepts only http(s) URLs and requires the enabled flag', async () => {
    const { slug } = await makeSpace()
    const save = (more: object) => admin.raw('PUT', `/spaces/${slug}/lockscreens`, more)
    expect((await save({ enabled: true, button_url: 'javascript:x' })).body.code).toBe('invalid_url')
    expect((await save({ enabled: true, lockscreen: [{ background_image: 'x' }] })).body.code).toBe('invalid_url')
    expect((await save({ message: 'x' })).body.code).toBe('missing_required_field')
  })
})

describe('deleting a space', () => {
  test('deletes everything in it', async () => {
    const { id, slug } = await makeSpace()
    await ana.api.spaceMembers.join({ space_slug: slug })
    const { data: feed } = await ana.api.feeds.create({ message: 'Hello there', space_id: id })
    await ana.raw('POST', `/feeds/${feed.id}/comments`, { comment: 'and hello again' })
    expect(await admin.api.spaces.remove({ space_slug: slug })).toEqual({ message: expect.any(String) })
    await refused(admin.api.spaces.byId({ space_id: id }), 404, 'space_not_found')
    await refused(ana.api.feeds.byId({ feed_id: feed.id }), 404, 'feed_not_found')
    const db = world.app.services.database.read
    for (const table of ['space_members', 'feeds', 'listed_feed_counts'] as const) {
      expect(await db.selectFrom(table).selectAll().where('space_id', '=', id).execute()).toEqual([])
    }
    expect(await db.selectFrom('comments').selectAll().where('post_id', '=', feed.id).execute()).toEqual([])
    expect(await eventsWith(world, { space_id: id })).toContain('space.deleted')
    await world.runPendingJobs()
    expect(await world.app.services.database.integrity()).toEqual([])
  })

  test('works by id, for its managers', async () => {
    const { id, slug } = await makeSpace()
    await refused(ana.api.spaces.removeById({ space_id: id }), 403, 'rest_forbidden')
    await refused(ana.api.spaces.remove({ space_slug: slug }), 403, 'rest_forbidden')
    await admin.api.spaces.removeById({ space_id: id })
    await refused(admin.api.spaces.removeById({ space_id: id }), 404, 'space_not_found')
  })
})
