import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { preferencesOf } from './preferences.ts'

let world: World
let ana: Member
let ben: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana' })
  ben = await world.member()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const DEFAULTS = {
  email_notifications: { new_comment: true, new_reaction: false, new_follower: true, mention: true, space_invite: true },
  push_notifications: { new_comment: true, new_reaction: true, mention: true },
  digest_frequency: 'weekly',
}
const PATH = '/profile/me/notification-preferences'

describe('preferences', () => {
  it('default to the settings of the community', async () => {
    for (const username of ['me', 'ana', 'ANA']) expect((await ana.api.notifications.preferences({ username })).data).toEqual(DEFAULTS)
    await admin.raw('PUT', '/settings/digest_frequency', { value: 'never' })
    const stored = await world.app.services.database.read
      .selectFrom('settings')
      .select('value')
      .where('key', '=', 'digest_frequency')
      .execute()
    const expected = stored.length > 0 ? 'never' : 'weekly'
    expect((await ana.api.notifications.preferences({ username: 'me' })).data.digest_frequency).toBe(expected)
    await world.app.write(null, ({ db }) => db.deleteFrom('settings').execute())
  })

  it('are merged by key', async () => {
    const { message, data } = await ana.api.notifications.savePreferences({ username: 'ana', email_notifications: { mention: false } })
    expect(message).not.toBe('')
    expect(data).toEqual({ ...DEFAULTS, email_notifications: { ...DEFAULTS.email_notifications, mention: false } })
    await ana.api.notifications.savePreferences({ username: 'me', push_notifications: { new_reaction: false }, digest_frequency: 'daily' })
    const { data: now } = await ana.api.notifications.savePreferences({ username: 'me' })
    expect(now).toEqual({
      email_notifications: { ...DEFAULTS.email_notifications, mention: false },
      push_notifications: { ...DEFAULTS.push_notifications, new_reaction: false },
      digest_frequency: 'daily',
    })
    expect((await ana.api.notifications.preferences({ username: 'me' })).data).toEqual(now)
    expect(await preferencesOf(world.app.services.database.read, [ana.id, ben.id])).toEqual(
      new Map([
        [ana.id, now],
        [ben.id, DEFAULTS],
      ]),
    )
  })

  it('must be booleans, and unknown keys are dropped', async () => {
    const hostile = { email_notifications: { hasOwnProperty: 1, valueOf: true, sms: true, new_comment: false }, toString: 1 }
    const answer = await ben.raw('POST', PATH, hostile)
    expect(answer.status, answer.text).toBe(200)
    for (const name of ['__proto__', 'constructor']) {
      const refusal = await ben.raw('POST', PATH, `{"email_notifications":{"${name}":{"mention":false}}}`)
      expect([refusal.status, refusal.body.code]).toEqual([400, 'invalid_json'])
    }
    expect(answer.body.data).toEqual({ ...DEFAULTS, email_notifications: { ...DEFAULTS.email_notifications, new_comment: false } })
    for (const body of [
      { email_notifications: { mention: 'yes' } },
      { push_notifications: { mention: 2 } },
      { email_notifications: ['mention'] },
      { email_notifications: { nonsense: true } },
      { push_notifications: 'all' },
      { digest_frequency: 'hourly' },
      { digest_frequency: true },
    ]) {
      const { status, body: error } = await ben.raw('POST', PATH, body)
      expect([status, error.code]).toEqual([400, 'invalid_data'])
    }
    expect((await ben.api.notifications.preferences({ username: 'me' })).data).toEqual(answer.body.data)
  })

  it('are not lost in concurrent changes', async () => {
    const keys = ['new_comment', 'new_reaction', 'new_follower', 'mention', 'space_invite'] as const
    const who = await world.member()
    await Promise.all(keys.map((key) => who.raw('POST', PATH, { email_notifications: { [key]: key === 'new_reaction' } })))
    expect((await who.api.notifications.preferences({ username: 'me' })).data.email_notifications).toEqual(
      Object.fromEntries(keys.map((key) => [key, key === 'new_reaction'])),
    )
  })

  it('belong to the caller only', async () => {
    for (const who of [ben, admin]) {
      await refused(who.api.notifications.preferences({ username: 'ana' }), 403, 'rest_forbidden')
      await refused(who.api.notifications.savePreferences({ username: 'ana', digest_frequency: 'never' }), 403, 'rest_forbidden')
      await refused(who.api.notifications.preferences({ username: 'nobody-there' }), 404, 'user_not_found')
      await refused(who.api.notifications.savePreferences({ username: 'nobody-there' }), 404, 'user_not_found')
      await refused(who.api.notifications.preferences({ username: 'a.b' }), 400, 'invalid_username')
    }
    await refused(world.anonymous.notifications.preferences({ username: 'ana' }), 401, 'rest_forbidden')
  })
})
