import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { expectNoScan, plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { actorFor } from '../../../auth/authenticate.ts'
import { nowOf, shift } from '../../../core/clock.ts'
import { digestContents } from './digest-content.ts'
import { claimMail } from './queries.ts'

let world: World
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

const onSqlite = test.runIf(process.env.LYCEUM_TEST_DATABASE === 'sqlite')

onSqlite('a digest is put together through indexes', async () => {
  const space = await makeSpace(world, { members: [ana, ben] })
  const feed = await ana.api.feeds.create({ message: 'Mine' })
  await ben.api.comments.create({ feed_id: feed.data.id, comment: 'Yes' })
  await ben.api.feeds.create({ message: 'There', space_id: space.id })
  await ben.api.feeds.create({ message: 'Elsewhere' })
  await world.runPendingJobs()
  const { services } = world.app
  const db = services.database.read
  const actor = await actorFor(db, ana.id)
  const until = shift(nowOf(services.clock), 1)
  const contents = () => digestContents({ services, db, actor: actor!, lang: 'en', since: shift(until, -24 * 3600), until })
  expect(await contents()).toMatchObject({ notices: [{}], posts: [{}, {}], spaces: [{ count: 1 }] })
  await expectNoScan(world, contents)
})

onSqlite('devices, and what a mail is held against, are found by index', async () => {
  await expectNoScan(world, () => ana.api.push.list())
  const [row] = await world.app.services.database.read.selectFrom('notification_deliveries').selectAll().execute()
  const plans = await world.app.write(null, (ctx) => plansOf(ctx.db, () => claimMail(ctx.db, row!.notification_id, row!.user_id, ctx.now)))
  expect(plans.length).toBe(3)
  for (const { sql, steps } of plans) expect([sql, steps.filter((step) => step.startsWith('SCAN'))]).toEqual([sql, []])
})
