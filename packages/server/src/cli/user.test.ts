import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Env, envOf, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { createWorld, type World } from '#test/world.ts'

const PASSWORD = 'Quiet-river-7431'

let world: World
let env: Env

beforeAll(async () => {
  world = await createWorld()
  env = envOf(world)
  await lyceumJson(env, 'user', 'create', '--username', 'boss', '--email', 'boss@example.org', '--password', PASSWORD, '--role', 'admin')
})
afterAll(() => world.close())

const create = (username: string, ...more: string[]) =>
  lyceum(env, ['user', 'create', '--username', username, '--email', `${username}@example.org`, '--password', PASSWORD, ...more])

const signIn = (login: string, password: string) => world.request('POST', '/auth/login', { login, password })

describe('user create', () => {
  test('creates an account that can sign in, as a member by default', async () => {
    const { code, out } = await create('dora', '--display-name', 'Dora D', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ id: expect.any(Number), username: 'dora', role: 'member' })
    const { status, body } = await signIn('dora', PASSWORD)
    expect([status, body.user.display_name]).toEqual([200, 'Dora D'])
  })

  test('assigns a role', async () => {
    for (const role of ['admin', 'manager', 'moderator', 'member']) {
      const { out } = await create(`is-${role}`, '--role', role, '--json')
      expect(JSON.parse(out).role).toBe(role)
    }
    const { out } = await lyceum(env, ['user', 'list', '--staff', '--json'])
    expect(JSON.parse(out).map((user: { username: string; role: string }) => `${user.username} ${user.role}`)).toEqual([
      'boss admin',
      'is-admin admin',
      'is-manager manager',
      'is-moderator moderator',
    ])
  })

  test('accepts reserved names, which nobody can register', async () => {
    expect(await create('admin', '--role', 'admin')).toMatchObject({ code: 0 })
    await lyceumJson(env, 'user', 'role', 'admin', 'member')
  })

  test('prints one sentence about the result', async () => {
    expect(await create('Erik')).toMatchObject({ code: 0, out: expect.stringMatching(/^Created erik \(member, id \d+\)\.\n$/), err: '' })
  })

  test('takes the password from standard input', async () => {
    const args = ['user', 'create', '--username', 'fay', '--email', 'fay@example.org']
    expect(await lyceum(env, args)).toEqual({
      code: 1,
      out: '',
      err: 'lyceum: give a password with --password or as a line on standard input\n',
    })
    expect(await lyceum(env, args, PASSWORD)).toMatchObject({ code: 0 })
    expect((await signIn('fay@example.org', PASSWORD)).status).toBe(200)
  })

  test.each([
    ['a username that is taken', 'dora', [], /^lyceum: This username is already taken\.\n$/],
    ['a username that no one may have', 'settings', [], /^lyceum: .*reserved.*\n$/],
    ['a username with other characters', 'no one', [], /^lyceum: A username must have 3 to 30 .*\n$/],
    ['an address that is none', 'gus', ['--email', 'nowhere'], /^lyceum: The email address is invalid\.\n$/],
    ['a password that is easy to guess', 'gus', ['--password', 'password123'], /^lyceum: .*\n$/],
  ])('refuses %s with one line, and creates nothing', async (_what, username, more, message) => {
    const before = await lyceumJson<unknown[]>(env, 'user', 'list')
    const { code, out, err } = await create(username, ...more)
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(message)])
    expect(await lyceumJson<unknown[]>(env, 'user', 'list')).toEqual(before)
  })

  test.each([
    ['without a username', ['user', 'create', '--email', 'x@example.org']],
    ['with a role that does not exist', ['user', 'create', '--username', 'hal', '--email', 'x@example.org', '--role', 'king']],
    ['with an option that does not exist', ['user', 'create', '--user', 'hal']],
  ])('%s is a usage error: exit code 2', async (_what, args) => {
    const { code, out, err } = await lyceum(env, args)
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^error: /)])
  })
})

describe('user role', () => {
  test('changes permissions immediately', async () => {
    await create('ida')
    const ida = async () => (await signIn('ida', PASSWORD)).body.user.role
    expect(await ida()).toBe('member')
    expect((await lyceum(env, ['user', 'role', 'ida', 'moderator'])).out).toBe('ida is now moderator.\n')
    expect(await ida()).toBe('moderator')
    expect(await lyceumJson(env, 'user', 'role', 'ida@example.org', 'member')).toMatchObject({ username: 'ida', role: 'member' })
    expect(await ida()).toBe('member')
    const log = await world.app.services.database.read
      .selectFrom('audit_log')
      .select(['action', 'details', 'actor_id'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(log.map(({ action, details, actor_id }) => [action, JSON.parse(details), actor_id])).toEqual([
      ['manager.removed', { role: 'member' }, null],
      ['manager.saved', { role: 'moderator' }, null],
    ])
  })

  test('refuses to demote the last administrator', async () => {
    const { code, err } = await lyceum(await alone(), ['user', 'role', 'only', 'member'])
    expect([code, err]).toEqual([1, 'lyceum: The community needs at least one administrator.\n'])
  })

  const alone = async () => {
    const fresh = await readyEnv()
    await lyceumJson(fresh, 'user', 'create', '--username', 'only', '--email', 'o@example.org', '--password', PASSWORD, '--role', 'admin')
    return fresh
  }

  test('of an unknown user is refused', async () => {
    expect(await lyceum(env, ['user', 'role', 'nobody-here', 'admin'])).toEqual({
      code: 1,
      out: '',
      err: 'lyceum: there is no user nobody-here\n',
    })
  })
})

test('user app-password prints one that works, alone on a line', async () => {
  await create('joan')
  const { out } = await lyceum(env, ['user', 'app-password', 'joan', '--name', 'laptop'])
  expect(out).toMatch(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}\n$/)
  const { status } = await world.request('GET', '/feeds', undefined, {
    authorization: `Basic ${Buffer.from(`joan:${out.trim()}`).toString('base64')}`,
  })
  expect(status).toBe(200)
  expect(await lyceumJson(env, 'user', 'app-password', 'joan', '--name', 'phone')).toMatchObject({
    name: 'phone',
    username: 'joan',
    password: expect.any(String),
  })
})

test('user reset-password prints a link that works once', async () => {
  await create('kim')
  // The command goes by the machine's clock, and no server believes in a link from the future.
  world.clock.advance((Date.now() - world.clock.now().getTime()) / 1000)
  const { code, out } = await lyceum({ ...env, LYCEUM_URL: 'https://people.example' }, ['user', 'reset-password', 'kim'])
  expect(code).toBe(0)
  const [, token = ''] = /^https:\/\/people\.example\/reset-password\?token=(\S+)$/m.exec(out) ?? []
  const reset = () => world.request('POST', '/auth/reset-password', { token, password: 'Another-river-8642' })
  expect((await reset()).status).toBe(200)
  expect((await signIn('kim', 'Another-river-8642')).status).toBe(200)
  expect((await reset()).body.code).toBe('invalid_token')
})

test('user list prints all accounts', async () => {
  const { out } = await lyceum(env, ['user', 'list'])
  expect(out).toMatch(/^ID +USERNAME +ROLE .*\n/)
  expect(out).toMatch(/^\d+ +dora +member +active +dora@example\.org +\d{4}-\d\d-\d\d +Dora D$/m)
})
