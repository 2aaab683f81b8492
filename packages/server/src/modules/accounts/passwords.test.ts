import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outbox, startPostOffice, tokenMailedTo } from '#test/outbox.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, refused, type World } from '#test/world.ts'

const NEXT = 'Other-river-9152'

let world: World
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
})
afterAll(() => world.close())

const works = (login: string, password: string) =>
  world.anonymous.auth.login({ login, password }).then(
    () => true,
    () => false,
  )
const resetTokens = (userId: number) =>
  world.app.services.database.read.selectFrom('tokens').selectAll().where('user_id', '=', userId).execute()

const askedFor = async (fields: { login?: string; email?: string }) => {
  const answer = await world.request('POST', '/auth/forgot-password', fields)
  await world.runPendingJobs()
  return answer
}

describe('a forgotten password', () => {
  test('is reset by a mailed link, which ends all sessions and revokes application passwords', async () => {
    const ana = await register(world)
    const { bare, raw } = await signIn(world, ana.username)
    const { password } = (await raw('POST', '/account/application-passwords', { name: 'phone' })).body.data
    const basic = { authorization: `Basic ${Buffer.from(`${ana.username}:${password}`).toString('base64')}` }
    await askedFor({ login: ana.email })
    const mail = outbox(world).findLast(({ to }) => to === ana.email)
    expect(mail?.subject).toBe('Reset your password for Lyceum')
    expect(mail?.source).toContain('https://community.example/reset-password?token=')

    const token = tokenMailedTo(world, ana.email)
    await world.anonymous.auth.resetPassword({ token, password: NEXT })
    expect([await works(ana.username, NEXT), await works(ana.username, PASSWORD)]).toEqual([true, false])
    expect((await bare('GET', '/profile/me')).status).toBe(401)
    expect((await world.request('GET', '/profile/me', undefined, basic)).status).toBe(401)

    await world.runPendingJobs()
    const subjects = outbox(world).flatMap(({ to, subject }) => (to === ana.email ? [subject] : []))
    expect(subjects).toContain('Your password for Lyceum was changed')
  })

  test('is requested by username or email, in `login` or in `email`', async () => {
    const ana = await register(world)
    await askedFor({ login: ana.username.toUpperCase() })
    await askedFor({ email: ana.email.toUpperCase() })
    expect(outbox(world).filter(({ to }) => to === ana.email)).toHaveLength(2)
    const neither = await askedFor({})
    expect([neither.status, neither.body.code, neither.body.data.field]).toEqual([400, 'missing_required_field', 'login'])
  })

  test('gets the same response and cost whether or not the account exists', async () => {
    const ana = await register(world)
    await world.runPendingJobs()
    const { read } = world.app.services.database
    const answers = []
    for (const login of [ana.email, 'nobody@example.org', 'not an address', 'x'.repeat(5000)]) {
      answers.push(await world.request('POST', '/auth/forgot-password', { login }))
    }
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    const jobs = await read.selectFrom('jobs').select(['name', 'payload']).orderBy('id').execute()
    expect(jobs).toEqual(
      [ana.id, null, null, null].map((user_id) => ({ name: 'accounts.mail_reset_link', payload: JSON.stringify({ user_id }) })),
    )
    const before = outbox(world).length
    await world.runPendingJobs()
    expect(outbox(world).length).toBe(before + 1)
  })

  test('the token works once', async () => {
    const ana = await register(world)
    await askedFor({ login: ana.email })
    const token = tokenMailedTo(world, ana.email)
    const tries = Array.from({ length: 20 }, (_, i) => world.request('POST', '/auth/reset-password', { token, password: `${NEXT}-${i}` }))
    const answers = await Promise.all(tries)
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(400)])
    expect(new Set(answers.filter(({ status }) => status === 400).map(({ body }) => body.code))).toEqual(new Set(['invalid_token']))
    expect(await works(ana.username, `${NEXT}-${answers.findIndex(({ status }) => status === 200)}`)).toBe(true)
    await refused(world.anonymous.auth.resetPassword({ token, password: NEXT }), 400, 'invalid_token')
  })

  test('the token expires after an hour', async () => {
    const ana = await register(world)
    await askedFor({ login: ana.email })
    const token = tokenMailedTo(world, ana.email)
    world.clock.advance(3600)
    await refused(world.anonymous.auth.resetPassword({ token, password: NEXT }), 400, 'invalid_token')
    expect(await works(ana.username, PASSWORD)).toBe(true)
  })

  test('forged tokens and weak passwords are refused and do not consume the token', async () => {
    const ana = await register(world)
    await askedFor({ login: ana.email })
    const token = tokenMailedTo(world, ana.email)
    for (const wrong of ['', 'x', 'a'.repeat(43), `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`]) {
      await refused(world.anonymous.auth.resetPassword({ token: wrong, password: NEXT }), 400, 'invalid_token')
    }
    await refused(world.anonymous.auth.resetPassword({ token, password: ana.username }), 400, 'weak_password')
    await world.anonymous.auth.resetPassword({ token, password: NEXT })
  })

  test('neither the database nor a job stores the plain token', async () => {
    const ana = await register(world)
    await world.runPendingJobs()
    await world.anonymous.auth.forgotPassword({ login: ana.email })
    const { read } = world.app.services.database
    const jobs = await read.selectFrom('jobs').selectAll().execute()
    expect(jobs).toHaveLength(1)
    await world.runPendingJobs()
    const token = tokenMailedTo(world, ana.email)
    const rows = [...jobs, ...(await resetTokens(ana.id)), ...(await read.selectFrom('jobs').selectAll().execute())]
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(ana.email)
  })

  test('at most three links are valid at the same time, so that nobody can flood a mailbox', async () => {
    const ana = await register(world)
    for (let i = 0; i < 5; i++) await askedFor({ login: ana.email })
    expect(outbox(world).filter(({ to }) => to === ana.email)).toHaveLength(3)
    world.clock.advance(3600)
    await askedFor({ login: ana.email })
    expect(outbox(world).filter(({ to }) => to === ana.email)).toHaveLength(4)
  })

  test('a failed mail is retried with another link', async () => {
    const post = await startPostOffice()
    const served = await createWorld({ env: { LYCEUM_SMTP_URL: post.url } })
    const ana = await register(served)
    const links = () => served.app.services.database.read.selectFrom('tokens').selectAll().execute()
    await served.anonymous.auth.forgotPassword({ login: ana.email })
    await served.runPendingJobs()
    expect([post.received, await links()]).toEqual([[], []])
    post.open()
    served.clock.advance(10)
    await served.runPendingJobs()
    expect([post.received.length, (await links()).length]).toEqual([1, 1])
    const token = /token=3D([\w=-]+)/.exec(post.received[0]?.replaceAll('=\r\n', '') ?? '')?.[1]?.slice(0, 43) as string
    await served.anonymous.auth.resetPassword({ token, password: NEXT })
    await served.close()
    await post.close()
  })

  test('a suspended account gets no mail', async () => {
    const ana = await register(world)
    const { database } = world.app.services
    await database.write((db) => db.updateTable('users').set({ status: 'suspended' }).where('id', '=', ana.id).execute())
    await askedFor({ login: ana.email })
    expect(outbox(world).filter(({ to }) => to === ana.email)).toEqual([])
  })
})

describe('changing the password', () => {
  test('requires the current one, ends other sessions and open links, and notifies the owner', async () => {
    const ana = await register(world)
    const [here, there] = [await signIn(world, ana.username), await signIn(world, ana.username)]
    await askedFor({ login: ana.email })
    const wrong = await here.raw('POST', '/account/password', { current_password: 'Wrong-river-7431', new_password: NEXT })
    expect([wrong.status, wrong.body.code, wrong.body.data.field]).toEqual([400, 'wrong_password', 'current_password'])
    const weak = await here.raw('POST', '/account/password', { current_password: PASSWORD, new_password: 'password123' })
    expect([weak.status, weak.body.code, weak.body.data.field]).toEqual([400, 'weak_password', 'new_password'])
    expect((await there.bare('GET', '/profile/me')).status).toBe(200)

    expect((await here.raw('POST', '/account/password', { current_password: PASSWORD, new_password: NEXT })).status).toBe(200)
    expect([(await here.bare('GET', '/profile/me')).status, (await there.bare('GET', '/profile/me')).status]).toEqual([200, 401])
    expect([await works(ana.username, NEXT), await works(ana.username, PASSWORD)]).toEqual([true, false])
    await refused(world.anonymous.auth.resetPassword({ token: tokenMailedTo(world, ana.email), password: PASSWORD }), 400, 'invalid_token')
    await world.runPendingJobs()
    expect(outbox(world).at(-1)).toMatchObject({ to: ana.email, subject: 'Your password for Lyceum was changed' })
  })

  test('with an application password, every session ends', async () => {
    const ana = await register(world)
    const { raw, bare } = await signIn(world, ana.username)
    const { password } = (await raw('POST', '/account/application-passwords', { name: 'phone' })).body.data
    const authorization = `Basic ${Buffer.from(`${ana.username}:${password}`).toString('base64')}`
    const body = { current_password: PASSWORD, new_password: NEXT }
    expect((await world.request('POST', '/account/password', body, { authorization })).status).toBe(200)
    expect((await bare('GET', '/profile/me')).status).toBe(401)
  })

  test('of two concurrent changes, the second fails', async () => {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    const change = (new_password: string) => raw('POST', '/account/password', { current_password: PASSWORD, new_password })
    const answers = await Promise.all([change(NEXT), change(`${NEXT}-x`)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await works(ana.username, answers[0].status === 200 ? NEXT : `${NEXT}-x`)).toBe(true)
  })

  test('an account without a password cannot set one with its application password', async () => {
    const ana = await world.member()
    await refused(ana.api.account.changePassword({ current_password: '', new_password: NEXT }), 400, 'wrong_password')
    await refused(ana.api.account.changePassword({ current_password: ana.password, new_password: NEXT }), 400, 'wrong_password')
  })
})

describe('changing the email address', () => {
  test('requires the password, notifies the former address and invalidates links sent to it', async () => {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    await askedFor({ login: ana.email })
    const email = `New.${ana.email.toUpperCase()}`
    const wrong = await raw('POST', '/account/email', { current_password: 'Wrong-river-7431', email })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'wrong_password'])
    expect((await raw('POST', '/account/email', { current_password: PASSWORD, email })).status).toBe(200)
    expect((await raw('GET', '/profile/me')).body.profile.email).toBe(email.toLowerCase())
    await refused(world.anonymous.auth.resetPassword({ token: tokenMailedTo(world, ana.email), password: NEXT }), 400, 'invalid_token')
    expect([await works(ana.email, PASSWORD), await works(email, PASSWORD)]).toEqual([false, true])
    await world.runPendingJobs()
    const mail = outbox(world).at(-1)
    expect(mail).toMatchObject({ to: ana.email, subject: 'Your email address for Lyceum was changed' })
    expect(mail?.source).not.toContain(email.toLowerCase())
  })

  test('refuses taken and invalid addresses; the present one sends no notification', async () => {
    const [ana, ben] = [await register(world), await register(world)]
    const { raw } = await signIn(world, ana.username)
    const change = (email: string) => raw('POST', '/account/email', { current_password: PASSWORD, email })
    const taken = await change(ben.email.toUpperCase())
    expect([taken.status, taken.body.code, taken.body.data.field]).toEqual([400, 'email_taken', 'email'])
    const bad = await change('nonsense')
    expect([bad.status, bad.body.code]).toEqual([400, 'invalid_email'])
    const before = outbox(world).length
    expect((await change(ana.email)).status).toBe(200)
    await world.runPendingJobs()
    expect(outbox(world).length).toBe(before)
  })

  test('of two concurrent claims of one address, one wins', async () => {
    const [ana, ben] = [await register(world), await register(world)]
    const browsers = [await signIn(world, ana.username), await signIn(world, ben.username)]
    const answers = await Promise.all(
      browsers.map(({ raw }) => raw('POST', '/account/email', { current_password: PASSWORD, email: 'one-of-us@example.org' })),
    )
    expect(answers.map(({ status }) => status).sort()[0]).toBe(200)
    expect(['email_taken', 'conflict']).toContain(answers.find(({ status }) => status !== 200)?.body.code)
  })
})
