import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { linkTokenTo, outbox } from '#test/outbox.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, refused, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'

const NEXT = 'Other-river-9152'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const confirmed = (on: boolean) => world.app.write(null, (ctx) => saveSettings(ctx, { require_email_verification: on }))
const works = (login: string, password = PASSWORD) =>
  world.anonymous.auth.login({ login, password }).then(
    () => true,
    () => false,
  )
const ownerOf = async (email: string) =>
  (await world.app.services.database.read.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())?.id
const subjectsTo = (address: string) =>
  outbox(world)
    .filter(({ to }) => to === address)
    .map(({ subject }) => subject)

const someone = async () => {
  const ana = await register(world)
  const browser = await signIn(world, ana.username)
  const change = (email: string) => browser.raw('POST', '/account/email', { current_password: PASSWORD, email })
  return { ...ana, ...browser, change }
}

describe('with email verification', () => {
  test('the address changes once it is confirmed', async () => {
    const ana = await someone()
    await confirmed(true)
    const answer = await ana.change('new@example.org')
    expect([answer.status, answer.body.data]).toEqual([200, { email: 'new@example.org', status: 'unconfirmed' }])
    await world.runPendingJobs()
    expect([await ownerOf('new@example.org'), await ownerOf(ana.email)]).toEqual([undefined, ana.id])
    expect(subjectsTo('new@example.org')).toEqual(['Confirm your new email address for Lyceum'])
    const token = linkTokenTo(world, 'new@example.org', 'confirm-email')
    await world.anonymous.auth.confirmEmail({ token })
    await refused(world.anonymous.auth.confirmEmail({ token }), 400, 'invalid_token')
    expect([await ownerOf('new@example.org'), await works(ana.email), await works('new@example.org')]).toEqual([ana.id, false, true])
    await world.runPendingJobs()
    expect(subjectsTo(ana.email)).toEqual(['Your email address for Lyceum was changed'])
  })

  test('a pending change reserves nothing and does not reveal whether the address is registered', async () => {
    const [ana, ben] = [await someone(), await world.member()]
    await confirmed(true)
    const [taken, free] = [await ana.change(ben.email), await ana.change('free@example.org')]
    expect([taken.status, taken.text.replace(ben.email, 'free@example.org')]).toEqual([free.status, free.text])
    await world.runPendingJobs()
    expect(subjectsTo(ben.email)).toEqual([])
    await ana.change(ben.email)
    await world.runPendingJobs()
    expect(subjectsTo(ben.email)).toEqual(['You already have an account at Lyceum'])
    await ana.change('free@example.org')
    await world.runPendingJobs()
    const token = linkTokenTo(world, 'free@example.org', 'confirm-email')
    await world.anonymous.auth.register({ username: 'rightful', email: 'free@example.org', password: NEXT })
    await world.runPendingJobs()
    await world.anonymous.auth.verifyEmail({ token: linkTokenTo(world, 'free@example.org', 'verify-email'), password: NEXT })
    await refused(world.anonymous.auth.confirmEmail({ token }), 400, 'email_taken')
    expect(await works('free@example.org', NEXT)).toBe(true)
  })

  test('a pending change ends with a new change, a password change, or after two days', async () => {
    const ana = await someone()
    await confirmed(true)
    const ask = async (email: string) => {
      await ana.change(email)
      await world.runPendingJobs()
      return linkTokenTo(world, email, 'confirm-email')
    }
    const [first, second] = [await ask('one@example.org'), await ask('two@example.org')]
    await refused(world.anonymous.auth.confirmEmail({ token: first }), 400, 'invalid_token')
    // Requested by an attacker and not yet sent when the owner resets the password.
    await ana.change('thief@example.org')
    await world.anonymous.auth.forgotPassword({ login: ana.email })
    await world.app.services.database.write((db) =>
      db.updateTable('jobs').set({ run_at: '2026-03-10 13:00:00' }).where('name', '=', 'accounts.mail_new_address').execute(),
    )
    await world.runPendingJobs()
    await world.anonymous.auth.resetPassword({ token: linkTokenTo(world, ana.email, 'reset-password'), password: NEXT })
    world.clock.advance(3600)
    await world.runPendingJobs()
    expect(subjectsTo('thief@example.org')).toEqual([])
    await refused(world.anonymous.auth.confirmEmail({ token: second }), 400, 'invalid_token')
    const again = await signIn(world, ana.username, NEXT)
    await again.raw('POST', '/account/email', { current_password: NEXT, email: 'three@example.org' })
    await world.runPendingJobs()
    const third = linkTokenTo(world, 'three@example.org', 'confirm-email')
    expect(third).not.toBe('')
    world.clock.advance(48 * 3600)
    await refused(world.anonymous.auth.confirmEmail({ token: third }), 400, 'invalid_token')
  })
})

describe('the former address', () => {
  test('can undo the change for seven days, which revokes all credentials', async () => {
    const ana = await someone()
    const { password } = (await ana.raw('POST', '/account/application-passwords', { name: 'thief' })).body.data
    expect((await ana.change('thief@example.org')).body.data.status).toBe('changed')
    await world.runPendingJobs()
    const token = linkTokenTo(world, ana.email, 'undo-email-change')
    await world.anonymous.auth.forgotPassword({ login: 'thief@example.org' })
    await world.runPendingJobs()
    const reset = linkTokenTo(world, 'thief@example.org', 'reset-password')
    world.clock.advance(600)
    // A second account with the old address would prevent the owner from restoring it.
    await refused(world.anonymous.auth.register({ username: 'squatter', email: ana.email, password: NEXT }), 400, 'email_taken')

    await world.anonymous.auth.undoEmailChange({ token })
    await refused(world.anonymous.auth.undoEmailChange({ token }), 400, 'invalid_token')
    expect([await ownerOf(ana.email), await ownerOf('thief@example.org')]).toEqual([ana.id, undefined])
    expect((await ana.bare('GET', '/profile/me')).status).toBe(401)
    const authorization = `Basic ${Buffer.from(`${ana.username}:${password}`).toString('base64')}`
    expect((await world.request('GET', '/profile/me', undefined, { authorization })).status).toBe(401)
    expect(await works(ana.username)).toBe(false)
    await refused(world.anonymous.auth.resetPassword({ token: reset, password: NEXT }), 400, 'invalid_token')
    await world.runPendingJobs()
    await world.anonymous.auth.resetPassword({ token: linkTokenTo(world, ana.email, 'reset-password'), password: NEXT })
    expect(await works(ana.email, NEXT)).toBe(true)
  })

  test('cannot undo it later, and is then available to others', async () => {
    const ana = await someone()
    await ana.change('new@example.org')
    await world.runPendingJobs()
    const token = linkTokenTo(world, ana.email, 'undo-email-change')
    world.clock.advance(7 * 24 * 3600)
    await refused(world.anonymous.auth.undoEmailChange({ token }), 400, 'invalid_token')
    await world.anonymous.auth.register({ username: 'another', email: ana.email, password: NEXT })
  })

  test('an attacker who changes it twice cannot undo the undo, and a password reset by the attacker keeps the undo link valid', async () => {
    const ana = await someone()
    await ana.change('thief1@example.org')
    world.clock.advance(1)
    await ana.change('thief2@example.org')
    await world.runPendingJobs()
    const [own, thiefs] = [
      linkTokenTo(world, ana.email, 'undo-email-change'),
      linkTokenTo(world, 'thief1@example.org', 'undo-email-change'),
    ]
    await world.anonymous.auth.forgotPassword({ login: 'thief2@example.org' })
    await world.runPendingJobs()
    await world.anonymous.auth.resetPassword({ token: linkTokenTo(world, 'thief2@example.org', 'reset-password'), password: NEXT })
    await world.anonymous.auth.undoEmailChange({ token: own })
    await refused(world.anonymous.auth.undoEmailChange({ token: thiefs }), 400, 'invalid_token')
    expect(await ownerOf(ana.email)).toBe(ana.id)
  })
})

test('at most three changes a day', async () => {
  const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  const ana = await register(limited)
  const { raw } = await signIn(limited, ana.username)
  const change = (email: string) => raw('POST', '/account/email', { current_password: PASSWORD, email })
  for (let i = 0; i < 3; i++) expect((await change(`change${i}@example.org`)).status).toBe(200)
  expect((await change('change2@example.org')).status).toBe(200)
  const fourth = await change('change4@example.org')
  expect([fourth.status, fourth.body.code, fourth.headers.get('retry-after')]).toEqual([429, 'rate_limit_exceeded', '86400'])
  limited.clock.advance(24 * 3600)
  const later = await signIn(limited, ana.username)
  const body = { current_password: PASSWORD, email: 'change4@example.org' }
  expect((await later.raw('POST', '/account/email', body)).status).toBe(200)
  await limited.close()
})
