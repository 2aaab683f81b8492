import { FEATURES } from '@lyceum/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { gifSettings } from './features.ts'

let world: World
let admin: Member
beforeEach(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterEach(() => world.close())

const KEY = 'Gif-Key-4711'
const gif = () => gifSettings(world.app.services.database.read, world.app.services)
const trail = () => world.app.services.database.read.selectFrom('audit_log').select(['action', 'actor_id', 'details']).execute()

test('all features but GIFs are on by default', async () => {
  const { features } = await admin.api.settings.features()
  expect(features).toEqual({
    ...Object.fromEntries(FEATURES.map((name) => [name, name !== 'gif'])),
    gif_enabled: false,
    gif_rating: 'g',
    gif_language: 'en',
    gif_api_key_set: false,
  })
})

test('only administrators can see and change them', async () => {
  const manager = await world.member({ role: 'manager' })
  await world.app.services.database.write((db) =>
    db.updateTable('managers').set({ permissions: '["manage_settings"]' }).where('user_id', '=', manager.id).execute(),
  )
  for (const who of [manager, await world.member({ role: 'moderator' }), await world.member()]) {
    await refused(who.api.settings.features(), 403, 'rest_forbidden')
    await refused(who.api.settings.saveFeatures({ topics: false }), 403, 'rest_forbidden')
  }
  await refused(world.anonymous.settings.features(), 401, 'rest_forbidden')
  expect((await admin.api.settings.features()).features.topics).toBe(true)
})

describe('changing', () => {
  test.each([
    ['flat', { topics: false, webhooks: 0 }],
    ['nested', { features: { topics: false, webhooks: 0 } }],
    ['both', { topics: false, features: { topics: true, webhooks: 0 } }],
  ] as const)('%s', async (_name, body) => {
    const { message, features } = await admin.api.settings.saveFeatures(body)
    expect([message, features.topics, features.webhooks, features.followers]).toEqual(['The settings were saved.', false, false, true])
    expect(await admin.api.settings.features()).toEqual({ features })
  })

  test.each(['gif', 'gif_enabled'] as const)('%s turns GIFs on, also among unchanged values', async (name) => {
    const { features } = await admin.api.settings.features()
    const on = (await admin.api.settings.saveFeatures({ ...features, [name]: true })).features
    expect([on.gif, on.gif_enabled]).toEqual([true, true])
    const off = (await admin.api.settings.saveFeatures({ ...on, [name]: false })).features
    expect([off.gif, off.gif_enabled]).toEqual([false, false])
  })

  test('an operation of a disabled feature is refused immediately, and its data stays', async () => {
    const [ana, ben] = [await world.member(), await world.member()]
    await ana.api.followers.follow({ username: ben.username })
    await admin.api.settings.saveFeatures({ followers: false })
    await refused(ana.api.followers.followers({ username: ben.username }), 403, 'pro_feature_required')
    await admin.api.settings.saveFeatures({ followers: true })
    expect((await ana.api.followers.followers({ username: ben.username })).followers.total).toBe(1)
  })

  test('an empty body changes nothing', async () => {
    const { features } = await admin.api.settings.features()
    for (const body of [{}, { features: {} }, features]) expect((await admin.api.settings.saveFeatures(body)).features).toEqual(features)
    expect(await trail()).toEqual([])
  })

  test.each([
    [{ gif_rating: 'x' }, 'gif_rating'],
    [{ gif_language: 'xx' }, 'gif_language'],
    [{ gif_enabled: 'yes' }, 'gif_enabled'],
    [{ topics: 2 }, 'topics'],
    [{ gif_api_key: 'line\nbreak' }, 'gif_api_key'],
    [{ gif_api_key: 'k'.repeat(501) }, 'gif_api_key'],
    [{ features: { gif_rating: 'x' } }, 'features.gif_rating'],
    [{ features: 'all' }, 'features'],
  ])('%j is refused', async (body, field) => {
    const answer = await admin.raw('POST', '/settings/features', { analytics: false, ...body })
    expect([answer.status, answer.body.code, Object.keys(answer.body.data.errors)]).toEqual([400, 'invalid_data', [field]])
    expect((await admin.api.settings.features()).features.analytics).toBe(true)
  })
})

describe('the GIF API key', () => {
  test('is encrypted, never returned, and deleted by an empty value', async () => {
    const saved = await admin.raw('POST', '/settings/features', {
      gif_enabled: true,
      gif_api_key: ` ${KEY} `,
      gif_rating: 'pg-13',
      gif_language: 'de',
    })
    expect(saved.body.features).toMatchObject({ gif: true, gif_rating: 'pg-13', gif_language: 'de', gif_api_key_set: true })
    expect(await gif()).toEqual({ enabled: true, apiKey: KEY, rating: 'pg-13', language: 'de' })
    for (const { text } of [saved, await admin.raw('GET', '/settings/features'), await world.request('GET', '/settings/public')])
      expect(text).not.toContain(KEY)
    const rows = await world.app.services.database.read.selectFrom('settings').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(KEY)
    await admin.api.settings.saveFeatures({ gif_rating: 'r' })
    expect((await gif()).apiKey).toBe(KEY)
    await admin.api.settings.saveFeatures({ gif_api_key: '' })
    expect(await gif()).toMatchObject({ apiKey: '', enabled: true })
    const details = (await trail()).map((row) => row.details)
    expect(details).toHaveLength(3)
    expect(details.join()).not.toContain(KEY)
  })

  test('cannot be decrypted in another context', async () => {
    await admin.api.settings.saveFeatures({ gif_api_key: KEY })
    await world.app.services.database.write((db) =>
      db.updateTable('settings').set({ value: '"v1.AAAA"' }).where('key', '=', 'gif_api_key').execute(),
    )
    expect((await gif()).apiKey).toBe('')
  })
})

test('changes are audited with their actor', async () => {
  await admin.api.settings.saveFeatures({ topics: false })
  expect((await trail()).map((row) => ({ ...row, details: JSON.parse(row.details) }))).toEqual([
    { action: 'features.changed', actor_id: admin.id, details: { features: { topics: false } } },
  ])
  const { name } = await world.app.services.database.read
    .selectFrom('events')
    .select('name')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(name).toBe('settings.changed')
})
