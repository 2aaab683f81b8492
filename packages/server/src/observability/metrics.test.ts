import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
  await world.runPendingJobs()
})
afterAll(() => world.close())

const jobs = async () => {
  const text = await (await fetch(`${world.origin}/metrics`)).text()
  return Object.fromEntries([...text.matchAll(/^lyceum_jobs\{state="(\w+)"\} (\d+)$/gm)].map(([, state, n]) => [state, Number(n)]))
}

test('due, scheduled and dead-lettered jobs are counted separately', async () => {
  const feed = await ana.api.feeds.create({ message: 'What shall we plant?' })
  await world.runPendingJobs()
  expect(await jobs()).toEqual({})

  await ben.api.comments.create({ feed_id: feed.data.id, comment: 'Basil' })
  expect(await jobs()).toEqual({ ready: 1 })
  await world.runPendingJobs()
  expect(await jobs()).toEqual({ scheduled: 1 })
  world.clock.advance(120)
  expect(await jobs()).toEqual({ ready: 1 })
  await world.app.write(null, ({ db }) => db.updateTable('jobs').set({ status: 'parked' }).execute())
  expect(await jobs()).toEqual({ parked: 1 })
})

test('a site with a public name requires the metrics token even from loopback, where a local proxy connects from', async () => {
  const token = 't'.repeat(40)
  const statusWith = async (env: Record<string, string>, headers: Record<string, string> = {}) => {
    const other = await createWorld({ env })
    try {
      return (await fetch(`${other.origin}/metrics`, { headers: { host: new URL(env['LYCEUM_URL'] ?? other.origin).host, ...headers } }))
        .status
    } finally {
      await other.close()
    }
  }
  const site = { LYCEUM_URL: 'https://community.example' }
  expect(await statusWith({})).toBe(200)
  expect(await statusWith(site)).toBe(401)
  expect(await statusWith({ ...site, LYCEUM_METRICS_TOKEN: token }, { authorization: `Bearer ${token}` })).toBe(200)
  expect(await statusWith({ LYCEUM_METRICS_TOKEN: token })).toBe(401)
  expect(await statusWith({ LYCEUM_METRICS_TOKEN: token }, { authorization: `Bearer ${token}x` })).toBe(401)
})
