import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { earnedBy } from '#test/points.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let moderator: Member
let member: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator' })
  member = await world.member()
})
afterAll(() => world.close())

type Body = Parameters<Member['api']['leaderboardLevels']['save']>[0]
const save = (levels: Body['levels'], points_config?: Body['points_config']) =>
  admin.api.leaderboardLevels.save({ levels, ...(points_config && { points_config }) })
const read = () => admin.api.leaderboardLevels.list()
const clear = async () => save((await read()).levels.map(({ id }) => ({ id, delete: true })))
const level = (title: string, min_points: number, max_points: number | null) => ({ title, min_points, max_points })
const problems = async (levels: Body['levels'], points_config?: Body['points_config']) => {
  const before = await read()
  const { data } = await refused(save(levels, points_config), 400, 'invalid_data')
  expect(await read()).toEqual(before)
  return Object.keys((data as { errors: object }).errors)
}

test('default levels and points exist', async () => {
  const { levels, points_config } = await read()
  expect(points_config).toEqual({
    post_created: 50,
    comment_made: 10,
    reaction_received: 5,
    course_completed: 100,
    helpful_vote: 20,
    profile_completed: 50,
    daily_login: 5,
    space_joined: 10,
  })
  expect(levels.map(({ title, min_points, members_count }) => [title, min_points, members_count])).toEqual([
    ['Newcomer', 0, 3],
    ['Member', 100, 0],
    ['Regular', 500, 0],
    ['Contributor', 2000, 0],
    ['Expert', 5000, 0],
    ['Champion', 15_000, 0],
  ])
})

test('only administrators can manage levels', async () => {
  for (const who of [member, moderator]) {
    await refused(who.api.leaderboardLevels.list(), 403, 'permission_denied')
    await refused(who.api.leaderboardLevels.save({ levels: [] }), 403, 'permission_denied')
  }
  await refused(world.anonymous.leaderboardLevels.list(), 401, 'rest_forbidden')
})

describe('saving', () => {
  test('an object without id creates a level, one with id changes it, delete removes it, and others stay', async () => {
    await clear()
    const { levels, message } = await save([
      { ...level('Seedling', 0, 4), description: 'Small', badge_icon: 'leaf', badge_color: '#336699', perks: ['Sun', 'Rain'], serial: 2 },
      { ...level('Tree', 5, null), serial: 1 },
    ])
    expect(message).toBe('The levels and points were saved.')
    const [tree, seedling] = levels
    expect(seedling).toMatchObject({
      slug: 'seedling',
      description: 'Small',
      perks: ['Sun', 'Rain'],
      min_points: 0,
      max_points: 4,
      serial: 2,
    })
    expect(tree).toMatchObject({ title: 'Tree', max_points: 1_000_000_000, badge_icon: '', badge_color: '', perks: [] })
    const changed = await save([{ id: tree?.id as number, title: 'Big tree', min_points: 10 }, level('Sapling', 5, 9)])
    expect(changed.levels.map(({ id, title, slug, min_points, serial }) => [id, title, slug, min_points, serial])).toEqual([
      [tree?.id, 'Big tree', 'tree', 10, 1],
      [seedling?.id, 'Seedling', 'seedling', 0, 2],
      [expect.any(Number), 'Sapling', 'sapling', 5, 3],
    ])
    const left = await save([{ id: seedling?.id as number, delete: true }])
    expect(left.levels.map(({ title }) => title)).toEqual(['Big tree', 'Sapling'])
    expect((await read()).levels).toEqual(left.levels)
    expect((await save(left.levels)).levels).toEqual(left.levels)
  })

  test('ranges and slugs can move from one level to another', async () => {
    await clear()
    const { levels } = await save([level('One', 0, 9), level('Two', 10, 19)])
    const [one, two] = levels as [(typeof levels)[0], (typeof levels)[0]]
    const swapped = await save([
      { ...one, slug: 'two', min_points: 10, max_points: 19 },
      { ...two, slug: 'one', min_points: 0, max_points: 9 },
    ])
    expect(swapped.levels.map(({ id, min_points }) => [id, min_points])).toEqual([
      [one.id, 10],
      [two.id, 0],
    ])
    expect(new Set(swapped.levels.map(({ slug }) => slug)).size).toBe(2)
    expect((await save([level('One', 20, 29)])).levels.at(-1)?.slug).not.toBe(swapped.levels[1]?.slug)
  })

  test('inconsistent levels are refused as a whole', async () => {
    await clear()
    const { levels } = await save([level('Low', 0, 99), level('High', 100, 199)])
    const [low, high] = levels.map(({ id }) => id) as [number, number]
    expect(await problems([level('Middle', 50, 120)])).toEqual(['levels'])
    expect(await problems([level('Within', 10, 20)])).toEqual(['levels'])
    expect(await problems([level('Edge', 199, 250)])).toEqual(['levels'])
    expect(await problems([{ id: low, max_points: 100 }])).toEqual(['levels'])
    expect(await problems([level('Upside down', 300, 200)])).toEqual(['levels.0.max_points'])
    expect(await problems([{ title: 'Where', max_points: 500 }])).toEqual(['levels.0.min_points'])
    expect(await problems([level('Fine', 200, 299), { min_points: 300 }])).toEqual(['levels.1.title'])
    expect(await problems([{ id: 999_999, title: 'Nobody' }])).toEqual(['levels.0.id'])
    expect(await problems([{ id: low, delete: true }, { id: low }])).toEqual(['levels.1.id'])
    expect(await problems([level('Fine', 200, 299)], { post_created: -1 })).not.toEqual([])
    expect(await problems([], { comment_made: 1.5 })).not.toEqual([])
    expect(await problems([{ ...level('Colour', 200, 299), badge_color: 'red' }])).not.toEqual([])
    await refused(admin.api.leaderboardLevels.save({} as Body), 400, 'missing_required_field')
    expect((await save([{ id: high, delete: true }, level('Higher', 100, 250)])).levels.length).toBe(2)
  })

  test('of two concurrent requests, the second sees the result of the first', async () => {
    await clear()
    const answers = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => save([level(`Level ${i}`, 0, 100 + i)])))
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    expect((await read()).levels.length).toBe(1)
  })

  test('records the editor', async () => {
    await save([], { post_created: 50 })
    const last = await world.app.services.database.read.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).execute()
    expect(last[0]).toMatchObject({ action: 'levels.saved', actor_id: admin.id })
  })
})

test('new points apply from then on; unknown kinds are ignored', async () => {
  const post = (who = member) => earnedBy(world, who, () => who.raw('POST', '/feeds', { message: 'Words' }))
  expect(await post()).toBe(100)
  const { points_config } = await save([], { post_created: 7, nonsense: 5 } as Body['points_config'])
  expect([points_config.post_created, points_config.comment_made]).toEqual([7, 10])
  expect(points_config).not.toHaveProperty('nonsense')
  expect(await post()).toBe(7)
  const feeds = await world.app.services.database.read
    .selectFrom('feeds')
    .select('id')
    .where('user_id', '=', member.id)
    .orderBy('id')
    .execute()
  for (const [i, points] of [50, 7].entries()) {
    const hide = (status: string) => earnedBy(world, member, () => admin.raw('POST', `/feeds/${feeds[i]?.id}`, { status }))
    expect([await hide('spam'), await hide('published')]).toEqual([-points, points])
  }
  await save([], { post_created: 0 })
  expect(await post()).toBe(0)
  await save([], { post_created: 50 })
})

test('members are counted in their current level, and keep levels they reached', async () => {
  await clear()
  const who = await world.member()
  await earnedBy(world, who, () => who.raw('POST', '/feeds', { message: 'Words' }))
  const { levels } = await save([level('Some', 1, 100), level('Many', 101, 120), level('Most', 121, null)])
  await world.runPendingJobs()
  expect(levels.map(({ title, members_count }) => [title, members_count])).toContainEqual(['Some', 1])
  const titles = async () => (await who.api.leaderboard.list({})).current_user?.achievements.map(({ title }) => title)
  expect(await titles()).toEqual(['First post', 'Some'])
  await earnedBy(world, who, () => who.raw('POST', '/feeds', { message: 'Words' }))
  const { current_user } = await who.api.leaderboard.list({})
  expect([current_user?.level?.title, await titles()]).toEqual(['Most', ['First post', 'Some', 'Many', 'Most']])
  await world.app.write(null, ({ db }) => db.updateTable('users').set({ status: 'banned' }).where('id', '=', who.id).execute())
  expect((await read()).levels.map(({ title, members_count }) => [title, members_count])).not.toContainEqual(['Most', 2])
})
