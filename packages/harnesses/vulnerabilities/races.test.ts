import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { makeSpace } from '#test/fixtures.ts'
import { pointsOf } from '#test/points.ts'
import { createWorld, type RawAnswer, type World } from '#test/world.ts'
import { makeStage, openContent, type Stage, SURVEY } from './stage.ts'

const AT_ONCE = 50

let world: World
let stage: Stage

beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  stage = await makeStage(world)
})
afterAll(() => world.close())

/** Sends the same request many times concurrently and counts the statuses. */
const flood = async (send: (i: number) => Promise<RawAnswer>): Promise<Record<number, number>> => {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => send(i)))
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const db = () => world.app.services.database.read

describe('vuln-25: concurrent requests achieve no more than sequential ones', () => {
  test('one vote per member', async () => {
    for (const allow_multiple of [false, true]) {
      const { data } = await stage.victim.api.feeds.create({ message: 'x', meta: { survey: { ...SURVEY, allow_multiple } } })
      const slugs = ['a', 'b', ['a', 'b']]
      const path = `/feeds/${data.id}/apps/survey-vote`
      const counts = await flood((i) => stage.attacker.raw('POST', path, { option_slug: allow_multiple ? slugs[i % 3] : slugs[i % 2] }))
      expect(counts).toEqual({ 200: AT_ONCE })
      const { meta } = (await stage.victim.api.feeds.byId({ feed_id: data.id })).data
      const survey = meta['survey'] as { total_votes: number; options: { votes: number }[] }
      const votes = survey.options.reduce((sum, option) => sum + option.votes, 0)
      expect([survey.total_votes, votes >= 1 && votes <= (allow_multiple ? 2 : 1)]).toEqual([1, true])
      const rows = await db().selectFrom('survey_votes').select('option_slug').where('feed_id', '=', data.id).execute()
      expect(rows.length).toBe(votes)
    }
    await expectSound(world)
  })

  test('one reaction per member, of any type', async () => {
    const { feed_id, comment_id } = await openContent(stage)
    const types = ['like', 'love', 'wow']
    for (const path of [`/feeds/${feed_id}/react`, `/feeds/${feed_id}/comments/${comment_id}/reactions`]) {
      const before = await db().selectFrom('reactions').select('id').where('user_id', '=', stage.attacker.id).execute()
      const counts = await flood((i) => stage.attacker.raw('POST', path, { type: types[i % 3] }))
      expect(counts).toEqual({ 200: AT_ONCE })
      const after = await db().selectFrom('reactions').select('id').where('user_id', '=', stage.attacker.id).execute()
      expect(after.length - before.length).toBeLessThanOrEqual(1)
    }
    await expectSound(world)
  })

  test('one bookmark per member, removed once', async () => {
    const { feed_id } = await openContent(stage)
    const path = `/feeds/${feed_id}/react`
    expect(await flood(() => stage.attacker.raw('POST', path, { react_type: 'bookmark' }))).toEqual({ 200: 1, 400: AT_ONCE - 1 })
    expect(await flood(() => stage.attacker.raw('POST', path, { react_type: 'bookmark', remove: true }))).toEqual({
      200: 1,
      404: AT_ONCE - 1,
    })
  })

  test('a member joins once, requests once and leaves once', async () => {
    const space = await makeSpace(world, { admins: [stage.victim] })
    const closed = await makeSpace(world, { admins: [stage.victim], privacy: 'private' })
    const who = await world.member()
    const places = (id: number) =>
      db().selectFrom('space_members').selectAll().where('space_id', '=', id).where('user_id', '=', who.id).execute()
    expect(await flood(() => who.raw('POST', `/spaces/${space.slug}/join`))).toEqual({ 200: 1, 400: AT_ONCE - 1 })
    expect(await flood(() => who.raw('POST', `/spaces/${closed.slug}/join`))).toEqual({ 200: AT_ONCE })
    expect([(await places(space.id)).length, (await places(closed.id)).length]).toEqual([1, 1])
    const approve = (i: number) =>
      i % 2
        ? stage.victim.raw('PUT', `/spaces/${closed.slug}/members/${who.id}`, { status: 'active' })
        : stage.victim.raw('POST', `/spaces/${closed.slug}/members`, { user_id: who.id })
    const approved = await flood(approve)
    expect((approved[201] ?? 0) + (approved[200] ?? 0) + (approved[400] ?? 0)).toBe(AT_ONCE)
    expect((await stage.victim.api.spaces.byId({ space_id: closed.id })).data.members_count).toBe(2)
    expect(await flood(() => who.raw('POST', `/spaces/${space.slug}/leave`))).toEqual({ 200: 1, 400: AT_ONCE - 1 })
    expect((await stage.victim.api.spaces.byId({ space_id: space.id })).data.members_count).toBe(1)
    await expectSound(world)
  })

  test('a member follows once, and earns nothing by repeating it', async () => {
    const [who, whom] = [await world.member(), await world.member()]
    expect(await flood(() => who.raw('POST', `/profile/${whom.username}/follow`))).toEqual({ 201: 1, 400: AT_ONCE - 1 })
    const follows = await db().selectFrom('followers').select('id').where('follower_id', '=', who.id).execute()
    expect(follows).toHaveLength(1)
    await expectSound(world)
  })

  test('a reaction earns points once, however often it is toggled', async () => {
    const [author, who] = [await world.member(), await world.member()]
    const { data } = await author.api.feeds.create({ message: 'x', space_id: null })
    await world.runPendingJobs()
    const before = await pointsOf(world, author)
    const react = () => who.raw('POST', `/feeds/${data.id}/react`, { type: 'like' })
    // After an odd number of toggles the reaction exists.
    for (let round = 0; round < 2; round++) await flood(react)
    if ((await author.api.feeds.byId({ feed_id: data.id })).data.reactions_count === 0) await react()
    await Promise.all([world.runPendingJobs(), world.runPendingJobs()])
    expect((await pointsOf(world, author)) - before).toBe(5)
    await expectSound(world)
  })

  test('a ban applies to concurrent requests', async () => {
    const who = await world.member()
    const space = await makeSpace(world, { admins: [stage.victim], members: [who] })
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => who.raw('POST', `/spaces/${space.slug}/leave`)),
      stage.victim.raw('POST', `/spaces/${space.slug}/members/${who.id}/ban`),
      ...Array.from({ length: 10 }, () => who.raw('POST', `/spaces/${space.slug}/join`)),
      ...Array.from({ length: 10 }, () => who.raw('POST', '/feeds', { message: 'x', space_id: space.id })),
    ])
    const banned = answers[10]?.status === 200
    const place = await db()
      .selectFrom('space_members')
      .select('status')
      .where('space_id', '=', space.id)
      .where('user_id', '=', who.id)
      .execute()
    if (banned) expect(place).toEqual([{ status: 'banned' }])
    const late = await who.raw('POST', '/feeds', { message: 'x', space_id: space.id })
    expect(late.status).toBe(place[0]?.status === 'active' ? 201 : 403)
    await expectSound(world)
  })

  test('application passwords stay within the limit', async () => {
    const who = await world.member()
    for (let i = 0; i < 3; i++) await flood(() => who.raw('POST', '/account/application-passwords', { name: 'x' }))
    expect((await who.api.account.applicationPasswords()).data.length).toBe(100)
  })
})

test('a comment hidden and edited while a list is built is not in it', async () => {
  const { feed_id } = await openContent(stage)
  const { data } = await stage.attacker.api.comments.create({ feed_id, comment: 'Plain' })
  const outsider = await world.member()
  const reads = world.app.services.database.read
  const send = reads.executeQuery.bind(reads)
  let hidden = false
  const interrupted: typeof reads.executeQuery = async (query, ...rest) => {
    const result = await send(query, ...rest)
    if (!hidden && (query as { sql: string }).sql.includes('order by c.created_at')) {
      hidden = true
      await stage.admin.api.comments.update({ feed_id, comment_id: data.id, status: 'spam' })
      await stage.attacker.api.comments.update({ feed_id, comment_id: data.id, comment: 'For moderators' })
    }
    return result
  }
  Object.defineProperty(reads, 'executeQuery', { value: interrupted, configurable: true })
  try {
    expect((await outsider.raw('GET', `/feeds/${feed_id}/comments`)).text).not.toContain('For moderators')
  } finally {
    Reflect.deleteProperty(reads, 'executeQuery')
  }
  expect(hidden).toBe(true)
  expect((await stage.admin.raw('GET', `/feeds/${feed_id}/comments`)).text).toContain('For moderators')
})
