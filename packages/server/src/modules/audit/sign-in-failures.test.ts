import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, register } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

const lines: string[] = []
const log = pino(
  { level: 'info', base: null },
  new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  }),
)
let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld({ log, env: { LYCEUM_TRUST_PROXY: '127.0.0.1' } })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const tryFrom = (ip: string, login: string, password: string) =>
  world.request('POST', '/auth/login', { login, password }, { 'x-forwarded-for': ip })
const failures = async (query: { user_id?: number } = {}) =>
  (await admin.api.audit.signInFailures(query)).failures.map(({ user_id, username, network }) => [user_id, username, network])

test('a failed sign-in is recorded with the account and the network, but not what was entered', async () => {
  const ana = await register(world)
  const typed = 'typed-by-mistake-1'
  expect((await tryFrom('203.0.113.77', ana.username, typed)).status).toBe(401)
  expect((await tryFrom('2001:db8:1:2:3::4', 'nobody-of-that-name', typed)).status).toBe(401)
  expect((await tryFrom('203.0.113.77', ana.username, PASSWORD)).status).toBe(200)
  expect(await failures()).toEqual([
    [null, null, '2001:db8:1::/48'],
    [ana.id, ana.username, '203.0.113.0/24'],
  ])
  expect(await failures({ user_id: ana.id })).toEqual([[ana.id, ana.username, '203.0.113.0/24']])
  const rows = await world.app.services.database.read.selectFrom('sign_in_failures').selectAll().execute()
  for (const text of [JSON.stringify(rows), lines.filter((line) => line.includes('sign-in failed')).join()]) {
    expect(text).toContain('203.0.113.0/24')
    for (const secret of [typed, '203.0.113.77', 'nobody-of-that-name']) expect(text).not.toContain(secret)
  }
  await refused((await world.member()).api.audit.signInFailures({}), 403, 'rest_forbidden')
})

test('entries are deleted after thirty days, and with the account', async () => {
  const ben = await register(world)
  await tryFrom('203.0.113.77', ben.username, 'wrong-password-1')
  await admin.api.privacy.deleteMember({ user_id: ben.id, content: 'anonymise' })
  await world.runPendingJobs()
  expect(await failures({ user_id: ben.id })).toEqual([])
  expect((await failures()).length).toBe(2)
  world.clock.advance(30 * 24 * 3600)
  await world.app.maintenance.run()
  expect(await failures()).toEqual([])
})
