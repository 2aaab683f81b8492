import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsWith, makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { filePath, insertMedia, mediaByKey } from '../../media/index.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
})
afterAll(() => world.close())

const profileOf = async (who: Member, username = 'me') => (await who.api.profiles.get({ username })).profile
const rowOf = (who: Member) =>
  world.app.services.database.read.selectFrom('users').selectAll().where('id', '=', who.id).executeTakeFirstOrThrow()

test('every editable field', async () => {
  const ana = await world.member({ displayName: 'Ana' })
  world.clock.advance(60)
  const { message, data } = await ana.api.profiles.update({
    username: ana.username,
    display_name: '  Ana   Lind ',
    first_name: 'Ana',
    last_name: 'Lind',
    bio: 'I **garden**.',
    location: ' Växjö,\n Sweden ',
    website: 'https://ana.example/',
    social_links: { twitter: 'https://social.example/ana', fb: 'http://social.example/ana' },
    avatar: 'https://pictures.example/a.png',
    cover_photo: 'https://pictures.example/c.png',
    is_private: true,
  })
  const profile = await profileOf(ana)
  expect(message).not.toBe('')
  expect(data).toEqual({ id: ana.id, display_name: 'Ana Lind', bio: 'I **garden**.', updated_at: (await rowOf(ana)).updated_at })
  expect(data.updated_at > profile.created_at).toBe(true)
  expect(profile).toMatchObject({
    display_name: 'Ana Lind',
    first_name: 'Ana',
    last_name: 'Lind',
    bio: 'I **garden**.',
    short_description: 'I **garden**.',
    location: 'Växjö, Sweden',
    website: 'https://ana.example/',
    social_links: { twitter: 'https://social.example/ana', fb: 'http://social.example/ana', youtube: '', linkedin: '', instagram: '' },
    avatar: 'https://pictures.example/a.png',
    cover_photo: 'https://pictures.example/c.png',
    is_private: true,
    compilation_score: 100,
  })
  // Unsent fields stay, links are merged by site, an empty link is removed.
  await ana.api.profiles.update({
    username: 'me',
    short_description: 'Gone fishing',
    social_links: { twitter: '', youtube: 'https://v.example/' },
    website: null,
    settings: { is_private: 0 },
  })
  expect(await profileOf(ana)).toMatchObject({
    display_name: 'Ana Lind',
    bio: 'Gone fishing',
    website: '',
    is_private: false,
    social_links: { twitter: '', youtube: 'https://v.example/', fb: 'http://social.example/ana' },
  })
})

test('an update without changes has no effect', async () => {
  const ana = await world.member({ displayName: 'Ana' })
  const before = await rowOf(ana)
  world.clock.advance(60)
  expect((await ana.api.profiles.update({ username: 'me', display_name: 'Ana', bio: '', social_links: {} })).data.updated_at).toBe(
    before.updated_at,
  )
  expect(await rowOf(ana)).toEqual(before)
  expect(await eventsWith(world, { user_id: ana.id })).not.toContain('user.profile_updated')
  await ana.api.profiles.update({ username: 'me', bio: 'New' })
  expect(await eventsWith(world, { user_id: ana.id })).toEqual(['user.registered', 'user.profile_updated'])
})

test('only the own profile', async () => {
  const [ana, ben, admin] = [await world.member(), await world.member(), await world.member({ role: 'admin' })]
  for (const who of [ben, admin]) {
    await refused(who.api.profiles.update({ username: ana.username, bio: 'Mine now' }), 403, 'rest_forbidden')
    // Permission is checked before validation.
    await refused(who.api.profiles.update({ username: ana.username, website: 'nonsense' }), 403, 'rest_forbidden')
  }
  await refused(ana.api.profiles.update({ username: 'nobody-here', bio: 'x' }), 404, 'user_not_found')
  const error = await refused(ana.api.profiles.update({ username: 'no.dots!', bio: 'x' }), 400, 'invalid_username')
  expect(error.data.field).toBe('username')
  await refused(world.anonymous.profiles.update({ username: ana.username, bio: 'x' }), 401, 'rest_forbidden')
  expect((await profileOf(ana)).bio).toBe('')
})

test('URLs must be http(s)', async () => {
  const ana = await world.member()
  const bad = [
    'nonsense',
    'javascript:alert(1)',
    'ftp://x.example/',
    'https://me:secret@x.example/',
    '//x.example/',
    `https://x.example/${'a'.repeat(2050)}`,
  ]
  for (const url of bad) {
    for (const field of ['website', 'avatar', 'cover_photo'] as const) {
      expect((await refused(ana.api.profiles.update({ username: 'me', [field]: url }), 400, 'invalid_url')).data.field).toBe(field)
    }
    const error = await refused(ana.api.profiles.update({ username: 'me', social_links: { twitter: url } }), 400, 'invalid_url')
    expect(error.data.field).toBe('social_links.twitter')
  }
  for (const [body, field] of [
    [{ website: 7 }, 'website'],
    [{ social_links: { twitter: 7 } }, 'social_links.twitter'],
    [{ social_links: 'https://x.example/' }, 'social_links'],
  ] as const) {
    const odd = await ana.raw('POST', '/profile/me', body)
    expect([odd.status, odd.body.code, odd.body.data.field]).toEqual([400, 'invalid_url', field])
  }
  await ana.raw('POST', '/profile/me', { social_links: { myspace: 'https://x.example/', youtube: 'https://y.example/' } })
  expect(JSON.parse((await rowOf(ana)).social_links)).toEqual({ youtube: 'https://y.example/' })
  await ana.api.profiles.update({ username: 'me', avatar: '/media/0123456789abcdef0123456789abcdef/a.png' })
  expect((await profileOf(ana)).avatar).toBe('/media/0123456789abcdef0123456789abcdef/a.png')
})

test('too long, empty, or of the wrong type', async () => {
  const ana = await world.member()
  const update = (body: object) => refused(ana.api.profiles.update({ username: 'me', ...body }), 400, 'invalid_data')
  expect((await update({ bio: 'é'.repeat(2501) })).data.errors).toHaveProperty('bio')
  expect((await update({ short_description: 'x'.repeat(5001) })).data.errors).toHaveProperty('short_description')
  expect((await update({ display_name: ' \u200b ' })).data.errors).toHaveProperty('display_name')
  expect((await update({ display_name: 'x'.repeat(101) })).data.errors).toHaveProperty('display_name')
  expect((await update({ location: 'x'.repeat(201) })).data.errors).toHaveProperty('location')
  for (const body of [{ display_name: 7 }, { is_private: 'yes' }, { bio: {} }]) {
    expect((await ana.raw('POST', '/profile/me', body)).body.code).toBe('invalid_data')
  }
  await ana.api.profiles.update({ username: 'me', bio: 'é'.repeat(2500) })
})

test('privileged fields are ignored', async () => {
  const ana = await world.member()
  const before = await rowOf(ana)
  const { status } = await ana.raw('POST', `/profile/${ana.username}`, {
    ...{ bio: '', role: 'admin', is_verified: 1, status: 'banned', total_points: 1_000_000, badge_slugs: ['staff'], user_id: 1, id: 1 },
    ...{ followers_count: 99, followings_count: 99, email: 'x@example.org', username: 'other', created_at: '2001-01-01 00:00:00' },
  })
  expect(status).toBe(200)
  expect(await rowOf(ana)).toEqual(before)
  expect((await profileOf(ana)).role).toBe('member')
})

test('a new name shows in existing content everywhere', async () => {
  const [ana, ben] = [await world.member({ displayName: 'Old name' }), await world.member()]
  const space = await makeSpace(world, { members: [ana, ben] })
  const { data: feed } = await ana.api.feeds.create({ message: 'Hello', space_id: space.id })
  await ana.api.comments.create({ feed_id: feed.id, comment: 'First' })
  await ana.api.reactions.toFeed({ feed_id: feed.id, type: 'love' })
  const names = async () => {
    const [listed] = (await ben.api.feeds.list({ space: space.slug })).feeds.data
    const one = (await ben.api.feeds.byId({ feed_id: feed.id })).data
    const [comment] = (await ben.api.comments.list({ feed_id: feed.id })).comments
    return [listed, one]
      .flatMap((view) => [view, ...(view?.comments ?? []), ...(view?.reactions ?? [])])
      .concat([comment as never])
      .map((view) => view?.xprofile.display_name)
  }
  expect(new Set(await names())).toEqual(new Set(['Old name']))
  await ana.api.profiles.update({ username: 'me', display_name: 'New name' })
  expect(await names()).toEqual(Array(7).fill('New name'))
})

test('a profile that becomes public accepts pending requests', async () => {
  const [ana, ben, cal] = [await world.member(), await world.member(), await world.member()]
  await ana.api.profiles.update({ username: 'me', is_private: 1 })
  for (const who of [ben, cal]) await who.api.followers.follow({ username: ana.username })
  expect((await profileOf(ana)).followers_count).toBe(0)
  await ana.api.profiles.update({ username: 'me', is_private: false })
  expect((await profileOf(ana)).followers_count).toBe(2)
  for (const who of [ben, cal]) expect((await who.api.followers.status({ username: ana.username })).data.status).toBe('active')
  await world.runPendingJobs()
})

test('concurrent changes are all stored', async () => {
  const ana = await world.member()
  const networks = ['twitter', 'youtube', 'linkedin', 'fb', 'instagram'] as const
  await Promise.all(
    networks.map((name) => ana.api.profiles.update({ username: 'me', social_links: { [name]: `https://x.example/${name}` } })),
  )
  expect(Object.values((await profileOf(ana)).social_links).every(Boolean)).toBe(true)
})

test('an uploaded image belongs to the profile while it is used there', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  const uploaded = async (who: Member, digit: string) => {
    const key = digit.repeat(32)
    const file = {
      key,
      file_name: 'me.png',
      file_type: 'image/png',
      file_size: 9,
      width: 1,
      height: 1,
      store: 'disk',
      path: `x/${key}`,
    } as const
    await world.app.write(null, ({ db, now }) =>
      insertMedia(db, { ...file, user_id: who.id, thumbnail_path: null, object_source: 'profile', object_id: null }, now),
    )
    return { key, url: `https://community.example${filePath(file)}`, path: filePath(file) }
  }
  const stand = async ({ key }: { key: string }) => {
    const row = await mediaByKey(world.app.services.database.read, [key])
    return row ? [row.status, row.object_source, row.object_id] : null
  }
  const [face, cover, foreign] = [await uploaded(ana, 'a'), await uploaded(ana, 'b'), await uploaded(ben, 'c')]
  await ana.api.profiles.update({ username: 'me', avatar: face.url, cover_photo: cover.path })
  expect([await stand(face), await stand(cover)]).toEqual([
    ['active', 'profile', ana.id],
    ['active', 'profile', ana.id],
  ])
  // Files of others are not attached; unused files are deleted.
  await ana.api.profiles.update({ username: 'me', avatar: foreign.url })
  expect([await stand(face), await stand(cover), await stand(foreign)]).toEqual([
    null,
    ['active', 'profile', ana.id],
    ['uploaded', 'profile', null],
  ])
})
