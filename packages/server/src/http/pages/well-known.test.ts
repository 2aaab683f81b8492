import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '#test/world.ts'
import { readConfig } from '../../config.ts'

const CONTACTS = ['mailto:security@community.example', 'https://community.example/report']
let world: World
let silent: World
beforeAll(async () => {
  const env = { LYCEUM_URL: 'https://community.example' }
  world = await createWorld({ env: { ...env, LYCEUM_SECURITY_CONTACT: CONTACTS.join(', ') } })
  silent = await createWorld({ env })
})
afterAll(async () => {
  await silent.close()
  await world.close()
})

test('security.txt names the contact, and has not expired', async () => {
  const { status, text, headers } = await world.request('GET', '//.well-known/security.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const { Expires: expires = '', ...fields } = Object.fromEntries(
    Object.entries(Object.groupBy(text.trim().split('\n'), (line) => line.split(': ')[0] ?? '')).map(([name, lines = []]) => [
      name,
      lines.map((line) => line.slice(name.length + 2)).join(' '),
    ]),
  )
  expect(fields).toEqual({ Contact: CONTACTS.join(' '), Canonical: 'https://community.example/.well-known/security.txt' })
  const days = (Date.parse(expires) - world.clock.now().getTime()) / 86_400_000
  expect(days).toBeGreaterThan(178)
  expect(days).toBeLessThanOrEqual(180)
})

test('without a contact there is no such file', async () => {
  expect((await silent.request('GET', '//.well-known/security.txt')).status).toBe(404)
})

test.each(['security@community.example', 'http://community.example', 'mailto:', 'https://a b'])('%s is not a valid contact', (value) => {
  expect(() => readConfig({ LYCEUM_SECURITY_CONTACT: value })).toThrow(/LYCEUM_SECURITY_CONTACT must be mailto:/)
})
