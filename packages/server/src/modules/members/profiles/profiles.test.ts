import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, refused, type World } from '#test/world.ts'
import { completeness } from './completeness.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
})
afterAll(() => world.close())

const change = (id: number, values: object) =>
  world.app.services.database.write((db) => db.updateTable('users').set(values).where('id', '=', id).execute())

test('every field of the own profile, by `me` and by username', async () => {
  const ana = await world.member({ username: 'ana', displayName: 'Ana' })
  const { profile } = await ana.api.profiles.get({ username: 'me' })
  expect(profile).toEqual({
    id: ana.id,
    user_id: ana.id,
    username: 'ana',
    display_name: 'Ana',
    first_name: '',
    last_name: '',
    email: 'ana@example.org',
    avatar: '',
    cover_photo: '',
    bio: '',
    short_description: '',
    short_description_rendered: '',
    location: '',
    website: '',
    social_links: { twitter: '', youtube: '', linkedin: '', fb: '', instagram: '' },
    status: 'active',
    role: 'member',
    is_verified: 0,
    lang: '',
    is_private: false,
    badge_slugs: [],
    badges: [],
    stats: { posts_count: 0, comments_count: 0, member_since: '2026-03-10 12:00:00' },
    total_points: 0,
    compilation_score: 0,
    followers_count: 0,
    followings_count: 0,
    created_at: '2026-03-10 12:00:00',
    last_activity: null,
    last_seen: null,
    can_change_username: false,
    can_change_email: true,
    canViewUserSpaces: true,
    profile_navs: [
      { slug: 'about', title: 'About', url: 'https://community.example/u/ana', route: { name: 'user_profile' } },
      { slug: 'posts', title: 'Posts', url: 'https://community.example/u/ana/posts', route: { name: 'user_posts' } },
      { slug: 'spaces', title: 'Spaces', url: 'https://community.example/u/ana/spaces', route: { name: 'user_spaces' } },
      { slug: 'comments', title: 'Comments', url: 'https://community.example/u/ana/comments', route: { name: 'user_comments' } },
      { slug: 'courses', title: 'Courses', url: 'https://community.example/u/ana/courses', route: { name: 'user_courses' } },
    ],
    profile_nav_actions: [
      { slug: 'edit', title: 'Edit profile', url: 'https://community.example/u/ana/edit', route: { name: 'user_edit' } },
    ],
  })
  expect((await ana.api.profiles.get({ username: 'Ana' })).profile).toEqual(profile)
})

test('the email address is visible to its owner and administrators', async () => {
  const ana = await world.member()
  const email = async (role?: 'admin' | 'manager' | 'moderator') =>
    (await (await world.member({ ...(role && { role }) })).api.profiles.get({ username: ana.username })).profile
  expect([(await email()).email, (await email('moderator')).email, (await email('manager')).email]).toEqual(['', '', ''])
  const seen = await email('admin')
  expect([seen.email, seen.can_change_email]).toEqual([ana.email, false])
})

test('the description is rendered safely, with mentions of existing members', async () => {
  const [ana, ben] = [await world.member(), await world.member({ username: 'ben' })]
  await change(ana.id, { short_description: 'I am **Ana**, friend of @ben, not of @nobody\n<script>alert(1)</script>' })
  const { profile } = await ben.api.profiles.get({ username: ana.username })
  expect(profile.short_description_rendered).toContain('<strong>Ana</strong>')
  expect(profile.short_description_rendered).toMatch(/<a class="mention" href="\/u\/ben"[^>]*>@ben<\/a>, not of @nobody/)
  expect(profile.short_description_rendered).not.toContain('<script')
  expect(profile.bio).toBe(profile.short_description)
})

test('unknown, reserved and malformed usernames', async () => {
  const ana = await world.member()
  for (const username of ['nobody-here', 'everyone', 'admin']) {
    await refused(ana.api.profiles.get({ username }), 404, 'user_not_found')
  }
  for (const username of ['a', 'x'.repeat(31), 'no.dots!', 'white space', 'anä', '__proto__()']) {
    const error = await refused(ana.api.profiles.get({ username }), 400, 'invalid_username')
    expect(error.data.field).toBe('username')
  }
  await refused(world.anonymous.profiles.get({ username: ana.username }), 401, 'rest_forbidden')
})

test('suspended and banned accounts are visible to moderators only; for others they are missing', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  const nobody = await ben.raw('GET', '/profile/nobody-here')
  for (const status of ['suspended', 'banned'] as const) {
    await change(ana.id, { status })
    const hidden = await ben.raw('GET', `/profile/${ana.username}`)
    expect([hidden.status, hidden.text]).toEqual([404, nobody.text])
    for (const role of ['admin', 'manager', 'moderator'] as const) {
      expect((await (await world.member({ role })).api.profiles.get({ username: ana.username })).profile.status).toBe(status)
    }
  }
})

test('roles are shown', async () => {
  const ana = await world.member()
  for (const [role, shown] of [
    ['admin', 'admin'],
    ['manager', 'moderator'],
    ['moderator', 'moderator'],
  ] as const) {
    const { username } = await world.member({ role })
    expect((await ana.api.profiles.get({ username })).profile.role).toBe(shown)
  }
  const former = await world.member({ role: 'admin' })
  await world.app.services.database.write((db) =>
    db.updateTable('managers').set({ status: 'inactive' }).where('user_id', '=', former.id).execute(),
  )
  expect((await ana.api.profiles.get({ username: former.username })).profile.role).toBe('member')
})

test('spaces of a private profile are visible to its owner and moderators', async () => {
  const [ana, ben, mod] = [await world.member(), await world.member(), await world.member({ role: 'moderator' })]
  await change(ana.id, { is_private: 1 })
  const sees = async (reader: typeof ana) => {
    const { profile } = await reader.api.profiles.get({ username: ana.username })
    return [profile.is_private, profile.canViewUserSpaces, profile.profile_navs.some(({ slug }) => slug === 'spaces')]
  }
  expect([await sees(ana), await sees(mod), await sees(ben)]).toEqual([
    [true, true, true],
    [true, true, true],
    [true, false, false],
  ])
})

test('counts contain what the caller may see', async () => {
  const [ana, insider, outsider, mod] = [
    await world.member(),
    await world.member(),
    await world.member(),
    await world.member({ role: 'moderator' }),
  ]
  const open = await makeSpace(world, { members: [ana] })
  const secret = await makeSpace(world, { privacy: 'secret', members: [ana, insider] })
  const { data: shown } = await ana.api.feeds.create({ message: 'for all', space_id: open.id })
  const { data: hidden } = await ana.api.feeds.create({ message: 'for few', space_id: secret.id })
  await ana.api.feeds.create({ message: 'for me', status: 'draft' })
  await ana.api.comments.create({ feed_id: shown.id, comment: 'one' })
  await ana.api.comments.create({ feed_id: hidden.id, comment: 'two' })
  await ana.api.comments.create({ feed_id: hidden.id, comment: 'three' })
  const counts = async (reader: typeof ana) => {
    const { stats } = (await reader.api.profiles.get({ username: ana.username })).profile
    return [stats.posts_count, stats.comments_count]
  }
  expect([await counts(ana), await counts(insider), await counts(mod), await counts(outsider)]).toEqual([
    [2, 3],
    [2, 3],
    [2, 3],
    [1, 1],
  ])
})

test('the score is the share of completed fields', () => {
  const empty = {
    first_name: '',
    last_name: '',
    short_description: '',
    location: '',
    website: '',
    avatar: '',
    cover_photo: '',
    social_links: '{}',
  }
  expect(completeness(empty)).toBe(0)
  expect(completeness({ ...empty, first_name: 'Ana', last_name: ' ' })).toBe(13)
  expect(completeness({ ...empty, social_links: '{"twitter":"https://example.org/t","youtube":""}' })).toBe(13)
  const full = Object.fromEntries(Object.keys(empty).map((name) => [name, 'x'])) as typeof empty
  expect(completeness({ ...full, social_links: '{"fb":"https://example.org"}' })).toBe(100)
})
