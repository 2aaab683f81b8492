import { afterAll, beforeAll, expect, test } from 'vitest'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let author: Member
let follower: Member
let other: Member

beforeAll(async () => {
  world = await createWorld()
  author = await world.member()
  follower = await world.member()
  other = await world.member()
  await follower.api.followers.follow({ username: author.username })
})
afterAll(() => world.close())

/** What each of them counts in the list. */
const totals = () => Promise.all([author, follower, other].map(async ({ api }) => (await api.feeds.list()).feeds.total))

test('the size of the list follows each change of privacy', async () => {
  const [before = 0] = await totals()
  const { data } = await author.api.feeds.create({ message: 'A walk', privacy: 'private' })
  expect(await totals()).toEqual([before + 1, before + 1, before])
  await author.api.feeds.update({ feed_id: data.id, privacy: 'public' })
  expect(await totals()).toEqual([before + 1, before + 1, before + 1])
  await author.api.feeds.update({ feed_id: data.id, privacy: 'private' })
  expect(await totals()).toEqual([before + 1, before + 1, before])
  await follower.api.followers.unfollow({ username: author.username })
  expect(await totals()).toEqual([before + 1, before, before])
  await author.api.feeds.remove({ feed_id: data.id })
  expect(await totals()).toEqual([before, before, before])
})

test.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')(
  'a public post of another member does not read the private ones again',
  async () => {
    await follower.api.feeds.list()
    await author.api.feeds.create({ message: 'For everyone' })
    const { read } = world.app.services.database
    const plans = await plansOf(read, () => follower.api.feeds.list())
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter(({ sql }) => sql.includes('vf cross join feeds f'))).toEqual([])
  },
)
