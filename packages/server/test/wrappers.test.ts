import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let space: Space

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  space = await makeSpace(world, { privacy: 'public' })
})
afterAll(() => world.close())

type Case = readonly [
  name: string,
  method: string,
  path: () => string,
  wrapper: string,
  fields: object,
  look: () => Promise<unknown>,
  saved: object,
]

const profile = async () => (await admin.api.profiles.get({ username: 'me' })).profile
const spaceNow = async () => (await admin.api.spaces.byId({ space_id: space.id })).data
const CASES: readonly Case[] = [
  [
    'the moderation configuration',
    'POST',
    () => '/moderation/config',
    'config',
    { blocked_words: ['foulword'] },
    () => admin.api.moderation.config(),
    { blocked_words: ['foulword'] },
  ],
  [
    'notification preferences',
    'POST',
    () => '/profile/me/notification-preferences',
    'user_globals',
    { digest_frequency: 'never', email_notifications: { mention: false } },
    async () => (await admin.api.notifications.preferences({ username: 'me' })).data,
    { digest_frequency: 'never', email_notifications: { mention: false } },
  ],
  [
    'a profile',
    'POST',
    () => '/profile/me',
    'data',
    { bio: 'Wrapped', location: 'Here' },
    profile,
    { short_description: 'Wrapped', location: 'Here' },
  ],
  ['a space by its slug', 'PUT', () => `/spaces/${space.slug}/by-slug`, 'data', { privacy: 'private' }, spaceNow, { privacy: 'private' }],
  ['a space by its id', 'PUT', () => `/spaces/${space.id}/by-id`, 'data', { privacy: 'secret' }, spaceNow, { privacy: 'secret' }],
  [
    'how topics are used',
    'POST',
    () => '/admin/topics/config',
    'config',
    { max_topics_per_post: '3' },
    () => admin.api.adminTopics.config(),
    { max_topics_per_post: 3 },
  ],
]

describe.each(CASES)('%s', (_name, method, path, wrapper, fields, look, saved) => {
  test('is saved from a wrapped body', async () => {
    expect(await look()).not.toMatchObject(saved)
    const { status, body } = await admin.raw(method, path(), { [wrapper]: fields, query_timestamp: 1 })
    expect([status, body.code]).toEqual([200, undefined])
    expect(await look()).toMatchObject(saved)
  })

  test('is refused if the wrapper contains nothing known', async () => {
    const before = await look()
    for (const inner of [{ nonsense: 1 }, 'nonsense', 7, ['nonsense']]) {
      const { status, body } = await admin.raw(method, path(), { [wrapper]: inner })
      const name = typeof inner === 'object' && !Array.isArray(inner) ? 'nonsense' : wrapper
      expect([inner, status, body.code, Object.keys(body.data.errors)]).toEqual([inner, 400, 'invalid_data', [name]])
    }
    const [field = ''] = Object.keys(fields)
    const { status, body } = await admin.raw(method, path(), { ...fields, [wrapper]: fields })
    expect([status, body.code, Object.keys(body.data.errors)]).toEqual([400, 'invalid_data', [field]])
    expect(await look()).toEqual(before)
  })
})

test('a new space may be sent in a wrapper', async () => {
  const { status, body } = await admin.raw('POST', '/spaces', { space: { title: 'Wrapped', privacy: 'private' } })
  expect(status).toBe(201)
  expect((await admin.api.spaces.byId({ space_id: body.data.id })).data).toMatchObject({ title: 'Wrapped', privacy: 'private' })
})
