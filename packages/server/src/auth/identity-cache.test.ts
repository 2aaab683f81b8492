import { afterAll, beforeAll, expect, test } from 'vitest'
import { register, signIn } from '#test/session.ts'
import { createWorld, type World } from '#test/world.ts'
import type { Caches } from '../cache/index.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('cached identities are keyed by hashes, so a memory dump contains no credential', async () => {
  const keys: string[] = []
  const { caches } = world.app.services
  const { storeOf } = caches
  const spied = caches as { storeOf: Caches['storeOf'] }
  spied.storeOf = (definition) => {
    const store = storeOf(definition)
    if (definition.name !== 'identities') return store
    return {
      ...store,
      load: (key, ...rest) => {
        keys.push(String(key))
        return store.load(key, ...rest)
      },
    }
  }
  const ana = await world.member()
  const browser = await signIn(world, (await register(world)).username)
  for (let i = 0; i < 2; i++) {
    expect((await ana.raw('GET', '/profile/me')).status).toBe(200)
    expect((await browser.bare('GET', '/profile/me')).status).toBe(200)
  }
  const basic = Buffer.from(`${ana.username}:${ana.password}`).toString('base64')
  const secrets = [basic, ana.password, ana.password.replaceAll(' ', ''), browser.cookie.split('=')[1] as string]
  expect(keys.length).toBeGreaterThan(1)
  expect(keys.filter((key) => secrets.some((secret) => key.includes(secret)))).toEqual([])
})
