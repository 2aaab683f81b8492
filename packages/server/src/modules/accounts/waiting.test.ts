import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { outbox } from '#test/outbox.ts'
import { expectNoScan } from '#test/plans.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeEach(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin', username: 'boss' })
})
afterEach(() => world.close())

const rules = (settings: object) => admin.raw('PUT', '/settings', settings)
const login = (who: string) => world.request('POST', '/auth/login', { login: who, password: PASSWORD })
const statusOf = async (id: number) =>
  (await world.app.services.database.read.selectFrom('users').select('status').where('id', '=', id).executeTakeFirst())?.status
const registeredEvents = async (id: number) =>
  (await world.app.services.database.read.selectFrom('events').select(['name', 'payload']).execute())
    .filter(({ name, payload }) => name === 'user.registered' && JSON.parse(payload).user_id === id)
    .map(({ payload }) => JSON.parse(payload))

const linkIn = (address: string) => {
  const mail = outbox(world).findLast(({ to, source }) => to.includes(address) && source.includes('verify-email'))
  return /\/verify-email\?token=3?D?([A-Za-z0-9_-]{43})/.exec(mail?.source ?? '')?.[1] ?? ''
}
/** Subjects of all mails to an address, including the welcome mail. */
const subjectsTo = (address: string) => {
  const folder = join(world.app.services.config.dataDir, 'outbox')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((source) => new RegExp(`^To: .*${address}`, 'm').test(source))
    .map((source) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim())
}

describe('an unconfirmed address', () => {
  beforeEach(() => rules({ require_email_verification: true }))

  test('keeps the account out until the link is followed, which works once', async () => {
    const answer = await world.request('POST', '/auth/register', { username: 'ana', email: 'ana@example.org', password: PASSWORD })
    expect([answer.status, answer.body.data.status]).toEqual([201, 'unverified'])
    expect(answer.body.message).toContain('Confirm your email address')
    const { id } = answer.body.data
    const refusedLogin = await login('ana')
    expect([refusedLogin.status, refusedLogin.body.code]).toEqual([403, 'email_not_verified'])
    const wrong = await world.request('POST', '/auth/login', { login: 'ana', password: 'not this one' })
    expect(wrong.status).toBe(401)
    await world.runPendingJobs()
    expect([subjectsTo('ana@example.org'), await registeredEvents(id)]).toEqual([['Confirm your email address for Lyceum'], []])

    const token = linkIn('ana@example.org')
    const { data } = await world.anonymous.auth.verifyEmail({ token, password: PASSWORD })
    expect(data).toEqual({ status: 'active' })
    await refused(world.anonymous.auth.verifyEmail({ token, password: PASSWORD }), 400, 'invalid_token')
    await signIn(world, 'ana')
    await world.runPendingJobs()
    expect(await registeredEvents(id)).toEqual([{ user_id: id }])
    expect(subjectsTo('ana@example.org')).toContain('Welcome to Lyceum')
  })

  test.each(['', 'x', 'a'.repeat(43)])('a forged token is refused: %j', async (token) => {
    const { id } = await register(world)
    await refused(world.anonymous.auth.verifyEmail({ token, password: PASSWORD }), 400, 'invalid_token')
    expect(await statusOf(id)).toBe('unverified')
  })

  test('an expired link and a reset token are refused', async () => {
    const { id, email } = await register(world)
    await world.runPendingJobs()
    const token = linkIn(email)
    await refused(world.anonymous.auth.resetPassword({ token, password: 'Another-river-99' }), 400, 'invalid_token')
    world.clock.advance(48 * 3600 + 1)
    await refused(world.anonymous.auth.verifyEmail({ token, password: PASSWORD }), 400, 'invalid_token')
    expect(await statusOf(id)).toBe('unverified')
  })

  test('at most three links are sent, and the response does not reveal which accounts exist', async () => {
    const { username, email } = await register(world)
    await register(world, { username: 'other' })
    const answers = []
    for (const who of [username, email, username, username, 'nobody', 'boss'])
      answers.push(await world.anonymous.auth.resendVerification({ login: who }))
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1)
    await world.runPendingJobs()
    expect(subjectsTo(email)).toHaveLength(3)
    expect(subjectsTo('boss@example.org').filter((subject) => subject?.startsWith('Confirm'))).toEqual([])
    await world.anonymous.auth.verifyEmail({ token: linkIn(email), password: PASSWORD })
    expect(await world.app.services.database.read.selectFrom('tokens').selectAll().where('purpose', '=', 'verify').execute()).toHaveLength(
      1,
    )
  })

  test('application passwords do not work until then', async () => {
    const waiting = await world.member({ username: 'zoe' })
    await world.app.services.database.write((db) =>
      db.updateTable('users').set({ status: 'unverified' }).where('id', '=', waiting.id).execute(),
    )
    const answer = await waiting.raw('GET', '/feeds')
    expect([answer.status, answer.body.code]).toEqual([403, 'email_not_verified'])
  })

  test('an unconfirmed account releases its username after a week', async () => {
    const { id, username, email } = await register(world)
    const active = await world.member()
    world.clock.advance(7 * 24 * 3600 - 1)
    await world.app.maintenance.run()
    expect(await statusOf(id)).toBe('unverified')
    world.clock.advance(2)
    await world.app.maintenance.run()
    expect([await statusOf(id), await statusOf(active.id)]).toEqual([undefined, 'active'])
    await register(world, { username, email })
  })

  test('accounts created by operators need no confirmation', async () => {
    expect((await (await world.member()).api.feeds.list()).feeds.data).toEqual([])
  })
})

describe('approval', () => {
  beforeEach(() => rules({ approval_required: true }))

  test('keeps the account out until an administrator approves it, and notifies both sides', async () => {
    const { id, username, email } = await register(world)
    const refusedLogin = await login(username)
    expect([refusedLogin.status, refusedLogin.body.code]).toEqual([403, 'account_pending'])
    await world.runPendingJobs()
    expect(subjectsTo(admin.email)).toContain('New registration at Lyceum')
    const { notifications } = await admin.api.notifications.list()
    expect(notifications.data[0]).toMatchObject({
      type: 'moderation',
      object_type: 'user',
      object_id: id,
      actor_id: id,
      title: `@${username} requests to join`,
    })
    const { data, meta } = await admin.api.registrations.list()
    expect([data, meta.total]).toEqual([
      [{ id, username, display_name: username, email, status: 'pending', created_at: '2026-03-10 12:00:00' }],
      1,
    ])

    const answer = await admin.api.registrations.approve({ user_id: id })
    expect(answer.data).toEqual({ id, status: 'active' })
    await signIn(world, username)
    await world.runPendingJobs()
    expect(await registeredEvents(id)).toEqual([{ user_id: id, approver_id: admin.id }])
    expect(subjectsTo(email)).toEqual(['Welcome to Lyceum'])
    expect((await admin.api.registrations.list()).data).toEqual([])
    await refused(admin.api.registrations.approve({ user_id: id }), 404, 'user_not_found')
    await refused(admin.api.registrations.reject({ user_id: id }), 404, 'user_not_found')
  })

  test('PATCH /members approves as well', async () => {
    const { id, username } = await register(world)
    await admin.api.members.update({ user_id: id, status: 'active' })
    await signIn(world, username)
    expect(await registeredEvents(id)).toEqual([{ user_id: id, approver_id: admin.id }])
    const odd = await admin.raw('PATCH', `/members/${id}`, { status: 'pending' })
    expect([odd.status, odd.body.code]).toEqual([400, 'invalid_data'])
  })

  test('a rejected account is deleted, gets the reason by email, and may register again', async () => {
    const { id, username, email } = await register(world)
    await admin.api.registrations.reject({ user_id: id, reason: 'We know nobody of that name.' })
    await world.runPendingJobs()
    expect(await statusOf(id)).toBeUndefined()
    const [mail] = outbox(world).filter(({ to }) => to.includes(email))
    expect([mail?.subject, mail?.source.includes('We know nobody of that name.')]).toEqual(['Your registration at Lyceum', true])
    expect((await login(username)).status).toBe(401)
    await register(world, { username, email })
    const trail = await world.app.services.database.read
      .selectFrom('audit_log')
      .select(['action', 'object_id'])
      .where('object_type', '=', 'user')
      .execute()
    expect(trail).toEqual([{ action: 'registration.rejected', object_id: id }])
  })

  test('a pending account is invisible to others', async () => {
    const { id, username } = await register(world)
    const ana = await world.member()
    await refused(ana.api.profiles.get({ username }), 404, 'user_not_found')
    const lists = [
      (await ana.api.members.list()).members.data,
      (await ana.api.members.list({ search: username })).members.data,
      (await ana.api.members.list({ mention: username })).members.data,
      (await ana.api.members.newest()).data,
    ]
    expect(JSON.stringify(lists)).not.toContain(username)
    await refused(ana.api.members.list({ status: 'pending' }), 403, 'rest_forbidden')
    const moderator = await world.member({ role: 'moderator' })
    await refused(moderator.api.members.list({ status: 'pending' }), 403, 'rest_forbidden')
    await refused(moderator.api.profiles.get({ username }), 404, 'user_not_found')
    expect((await admin.api.profiles.get({ username })).profile.status).toBe('pending')
    const { data: feed } = await ana.api.feeds.create({ message: `Hello @${username} and @${moderator.username}` })
    const { message_rendered } = (await ana.api.feeds.byId({ feed_id: feed.id })).data
    expect([message_rendered.includes(`/u/${username}`), message_rendered.includes(`/u/${moderator.username}`)]).toEqual([false, true])
    expect((await admin.api.members.list({ status: 'pending' })).members.data.map(({ user_id }) => user_id)).toEqual([id])
  })

  test('is decided by administrators, and by managers of all spaces with manage_members', async () => {
    const { id, email } = await register(world)
    const manager = await world.member({ role: 'manager' })
    const record = (all_spaces: 0 | 1, permissions: string[]) =>
      world.app.services.database.write((db) =>
        db
          .updateTable('managers')
          .set({ all_spaces, permissions: JSON.stringify(permissions) })
          .where('user_id', '=', manager.id)
          .execute(),
      )
    const refuseAll = async (who: Member) => {
      await refused(who.api.registrations.list(), 403, 'rest_forbidden')
      await refused(who.api.registrations.approve({ user_id: id }), 403, 'rest_forbidden')
      await refused(who.api.registrations.reject({ user_id: id }), 403, 'rest_forbidden')
    }
    await record(0, ['manage_members'])
    await refuseAll(manager)
    await record(1, ['ban_members', 'manage_settings'])
    await refuseAll(manager)
    for (const role of ['moderator', undefined] as const) await refuseAll(await world.member({ ...(role && { role }) }))
    await record(1, ['manage_members'])
    const { data } = await manager.api.registrations.list()
    expect([data.map((one) => one.id), data.map((one) => one.email)]).toEqual([[id], ['']])
    expect(JSON.stringify(data)).not.toContain(email)
    await manager.api.registrations.approve({ user_id: id })
    expect(await statusOf(id)).toBe('active')
  })

  test('follows the confirmation of the address', async () => {
    await rules({ require_email_verification: true })
    const { id, email } = await register(world)
    await world.runPendingJobs()
    expect([
      (await admin.api.registrations.list()).data,
      (await admin.api.registrations.list({ status: 'unverified' })).data.map((one) => one.id),
    ]).toEqual([[], [id]])
    expect(subjectsTo(admin.email)).not.toContain('New registration at Lyceum')
    expect((await world.anonymous.auth.verifyEmail({ token: linkIn(email), password: PASSWORD })).data).toEqual({ status: 'pending' })
    await world.runPendingJobs()
    expect(subjectsTo(admin.email)).toContain('New registration at Lyceum')
    await admin.api.registrations.approve({ user_id: id })
    expect(await statusOf(id)).toBe('active')
  })

  test.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('pending accounts are found by index', async () => {
    await register(world)
    const seen = await expectNoScan(world, () => admin.api.registrations.list())
    await expectNoScan(world, () => admin.api.registrations.list({ status: 'unverified' }))
    expect(seen.some(({ sql }) => sql.includes('from users u where u.status'))).toBe(true)
  })

  test('of two concurrent decisions, the first wins', async () => {
    const { id } = await register(world)
    const answers = await Promise.allSettled([
      admin.api.registrations.approve({ user_id: id }),
      admin.api.registrations.reject({ user_id: id }),
      admin.api.registrations.approve({ user_id: id }),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
