import { afterAll, beforeAll, expect, test } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

const TODAY = '2026-03-10'

let world: World
let admin: Member
let analyst: Member
let secret: Space
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  analyst = await world.member({ role: 'manager' })
  await grant(world, analyst, ['view_analytics'])
  const ana = await world.member()
  secret = await makeSpace(world, { privacy: 'secret', members: [ana] })
  await ana.api.feeds.create({ message: 'Up and away', space_id: secret.id })
})
afterAll(() => world.close())

/** The endpoints that name the secret space to a member. */
const namedTo = async ({ api: { analytics } }: Member): Promise<string[]> => {
  const named: string[] = []
  if ((await analytics.spacesWidget({})).most_active_space?.id === secret.id) named.push('most active')
  for (const metric of ['engagement', 'posts', 'members'] as const)
    if ((await analytics.popularSpaces({ metric })).spaces.some(({ id }) => id === secret.id)) named.push(metric)
  if ((await analytics.searchSpaces({ search: secret.slug })).spaces.length > 0) named.push('search')
  return named
}

const EVERYWHERE = ['most active', 'engagement', 'posts', 'members', 'search']

test('a secret space is shown to those who may see it', async () => {
  expect(await namedTo(admin)).toEqual(EVERYWHERE)
  expect(await namedTo(analyst)).toEqual([])
  const { total_posts, total_spaces } = await analyst.api.analytics.spacesWidget({})
  expect({ total_posts, total_spaces }).toEqual({ total_posts: 1, total_spaces: 1 })
})

test('and its own metrics are missing for others', async () => {
  const { analytics } = analyst.api
  const days = { date_from: TODAY, date_to: TODAY }
  await refused(analytics.spacesActivity({ ...days, space_id: secret.id }), 404, 'space_not_found')
  await refused(analytics.spacesActivity({ ...days, space: secret.slug }), 404, 'space_not_found')
})

test('a manager limited to the space sees its name', async () => {
  const limited = await world.member({ role: 'manager' })
  await grant(world, limited, ['view_analytics'], [secret])
  expect(await namedTo(limited)).toEqual(EVERYWHERE)
})
