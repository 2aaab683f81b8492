import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '#test/sse-client.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const limit = (limits: object) => admin.api.settings.save({ limits } as never)

test('the number of streams per address is limited, for all its members together', async () => {
  await limit({ streams_per_address: 3 })
  const people = await Promise.all(Array.from({ length: 4 }, () => world.member()))
  const open = []
  for (const who of people.slice(0, 3)) open.push(await listen(world, who))
  const last = people[3] as Member
  const { status, body } = await last.raw('GET', '/stream')
  expect([status, body.code, body.data.retry_after]).toEqual([429, 'rate_limit_exceeded', 30])
  // Moderators are exempt, and a released slot is reused.
  const watching = await listen(world, await world.member({ role: 'moderator' }))
  await watching.stop()
  await open.pop()?.stop()
  await expect.poll(() => world.app.services.realtime.streams()).toBe(2)
  open.push(await listen(world, last))
  for (const listener of open) await listener.stop()
})

test('the oldest stream of a member is closed when they open too many', async () => {
  await limit({ streams_per_member: 2, streams_per_address: 0 })
  const ana = await world.member()
  const [first, second, third] = [await listen(world, ana), await listen(world, ana), await listen(world, ana)]
  expect((await first.next('closed')).data).toEqual({ reason: 'replaced' })
  await expect.poll(() => world.app.services.realtime.streams()).toBe(2)
  for (const listener of [second, third]) await listener.stop()
})
