import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Plan, plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { acceptAllPending } from './index.ts'

let world: World
let ana: Member
let bob: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  bob = await world.member()
  await ana.api.followers.follow({ username: bob.username })
})
afterAll(() => world.close())

/** Full scans that are expected: inactive accounts, which are few, and constant rows. */
const HARMLESS = /^SCAN (u USING (COVERING )?INDEX users_inactive|CONSTANT ROW)$/

const expectGood = (plans: readonly Plan[]) => {
  expect(plans.length).toBeGreaterThan(0)
  for (const { sql, steps } of plans) {
    const faults = steps.filter((step) => (step.startsWith('SCAN') && !HARMLESS.test(step)) || step.includes('TEMP B-TREE FOR ORDER'))
    expect({ sql, faults }).toEqual({ sql, faults: [] })
  }
}

it.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')(
  'lists come out of an index in their order, and writes find their rows',
  async () => {
    const { read } = world.app.services.database
    const { username } = bob
    expectGood(await plansOf(read, () => ana.api.followers.followers({ username })))
    expectGood(await plansOf(read, () => ana.api.followers.followings({ username })))
    expectGood(await plansOf(read, () => bob.api.followers.followers({ username, status: 'pending' })))
    expectGood(await plansOf(read, () => bob.api.followers.requests()))
    expectGood(await plansOf(read, () => ana.api.followers.status({ username })))
    // The total of the feed list starts with the followed members and looks up the private feeds of each.
    const totals = (await plansOf(read, () => ana.api.feeds.list({}))).find(({ sql }) => sql.includes('cross join feeds'))
    expect(totals?.steps.filter((step) => /^(SCAN|SEARCH) (vf|f) /.test(step))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^SEARCH vf USING .*INDEX \w+ \(follower_id=\?/),
        expect.stringMatching(/^SEARCH f USING (COVERING )?INDEX feeds_private \(user_id=\?/),
      ]),
    )

    const writer = await world.app.services.database.write(async (db) => db)
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ is_private: 1 }).where('id', '=', bob.id).execute())
    await bob.api.followers.removeFollower({ username: ana.username })
    await ana.api.followers.follow({ username })
    expectGood(await plansOf(writer, () => world.app.write(null, (ctx) => acceptAllPending(ctx, bob.id))))
    expectGood(await plansOf(writer, () => ana.api.followers.unfollow({ username })))
    expectGood(await plansOf(writer, () => ana.api.followers.follow({ username })))
    const [request] = (await bob.api.followers.requests()).data
    expectGood(await plansOf(writer, () => bob.api.followers.approve({ request_id: request?.id as number })))
  },
)
