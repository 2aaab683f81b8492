import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { outbox } from '#test/outbox.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type World } from '#test/world.ts'
import { bring, community, person } from '../../test-support/bring.ts'
import { exportCommunity } from '../export/index.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** PASSWORD in bcrypt. */
const HASH = '$2b$04$1S9snFwuXzOLS3aYYsC1VukS8EVhvCQNLR3D5iWy8uuHrlMuOq8R2'

const OTHER = 'Other-river-9152'
/** OTHER in MD5. */
const OTHER_HASH = 'md5:babff0a9e2fd971c67051a0057bee110'

/** Who signs in; the status if nobody does. */
const userOf = async (login: string, password = PASSWORD): Promise<string | number> => {
  const { status, body } = await world.request('POST', '/auth/login', { login, password })
  return status === 200 ? body.user.username : status
}

test('members sign in with the names that they had, also if these have spaces or look like addresses', async () => {
  const taken = await register(world)
  const names = { 1: 'Delia Hadar', 2: 'ulises@harbour.example', 3: taken.email }
  const people = Object.entries(names).map(([id, name]) => person(id, { username: `member-${id}`, aliases: [name], password: HASH }))
  const { counts } = await bring(world, community([], { people }))
  expect(counts.people?.imported).toBe(3)

  expect(await userOf('Delia Hadar')).toBe('member-1')
  expect(await userOf(' ULISES@harbour.example')).toBe('member-2')
  expect(await userOf('ulises@harbour.example', 'Loud-river-7431')).toBe(401)
  expect(await userOf('3@old.example')).toBe('member-3')
  // The address of an account counts more than a name that looks like it.
  expect(await userOf(taken.email, taken.password)).toBe(taken.username)
})

test('a name that looks like an address does not keep this address from its owner', async () => {
  const owner = await register(world)
  const browser = await signIn(world, owner.username)
  const { text } = await browser.raw('POST', '/account/email', { current_password: PASSWORD, email: 'ulises@harbour.example' })
  expect(JSON.parse(text)).toMatchObject({ data: { email: 'ulises@harbour.example' } })
  expect(await userOf('ulises@harbour.example', owner.password)).toBe(owner.username)
  expect(await userOf('member-2')).toBe('member-2')
})

test('members without an address sign in with their username, and get no mail', async () => {
  const people = [
    person('quiet', { username: 'quiet', email: null, password: HASH }),
    person('wrong', { username: 'wrong', email: 'wrong at old.example', password: HASH }),
  ]
  await bring(world, { people }, { as: 'quiet' })
  expect([await userOf('quiet'), await userOf('wrong')]).toEqual(['quiet', 'wrong'])
  expect(await userOf('quiet', OTHER)).toBe(401)
  const browser = await signIn(world, 'quiet')
  await world.runPendingJobs()
  const before = outbox(world).length
  await browser.raw('POST', '/account/password', { current_password: PASSWORD, new_password: OTHER })
  await world.runPendingJobs()
  expect([await userOf('quiet', OTHER), outbox(world).length]).toEqual(['quiet', before])
})

test('a login that is the username of another member leads to that member in texts; at the sign-in the password decides', async () => {
  const people = [
    person('login', { username: 'rose', aliases: ['Gustav'], email: 'rose@old.example', password: HASH }),
    person('name', { username: 'gustav', email: 'gustav@old.example', password: OTHER_HASH }),
    person('later', { username: 'iris', aliases: ['Bob'], email: 'iris@old.example', password: HASH }),
  ]
  await bring(world, community(['Hello @gustav'], { people: [person('ana'), ...people] }), { source: { name: 'nodebb' } })
  const row = await world.app.services.database.read
    .selectFrom('feeds')
    .select('message_rendered')
    .where('message', '=', 'Hello @gustav')
    .executeTakeFirst()
  expect(row?.message_rendered).toContain('/u/gustav"')

  expect(await userOf('Gustav')).toBe('rose')
  expect(await userOf('Gustav', OTHER)).toBe('gustav')
  expect(await userOf('Gustav', 'Loud-river-7431')).toBe(401)
  expect(await userOf('bob')).toBe('iris')
  // The first sign-in has replaced the hash.
  expect(await userOf('gustav')).toBe('rose')
  expect(await userOf('rose')).toBe('rose')
  expect(await userOf('rose@old.example')).toBe('rose')

  const place = join(mkdtempSync(join(inject('scratch'), 'logins-')), 'archive')
  await exportCommunity(world.app.services, { place })
  const exported = readFileSync(join(place, 'people.jsonl'), 'utf8').trim().split('\n')
  expect(exported.map((line) => JSON.parse(line)).find(({ username }) => username === 'rose').aliases).toEqual(['gustav'])
})
