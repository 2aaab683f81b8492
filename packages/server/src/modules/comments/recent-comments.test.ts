import { pages } from '@lyceum/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
let moderator: Member
let space: Space
let secret: Space

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
  moderator = await world.member({ role: 'moderator' })
  space = await makeSpace(world, { members: [ana, ben] })
  secret = await makeSpace(world, { privacy: 'secret', members: [ana] })
})
afterAll(() => world.close())
beforeEach(() => world.app.write(null, ({ db }) => db.deleteFrom('comments').execute()))

const post = async (space_id: number | null = null): Promise<number> =>
  (await ana.api.feeds.create({ message: 'A feed', title: 'Title', space_id })).data.id
/** Comments and lets ten seconds pass. */
const say = async (feed_id: number, comment: string, who = ana): Promise<number> => {
  const { data } = await who.api.comments.create({ feed_id, comment })
  world.clock.advance(10)
  return data.id
}
type Query = NonNullable<Parameters<Member['api']['comments']['all']>[0]>
const texts = async (who: Member, query: Query = {}) => (await who.api.comments.all(query)).comments.map(({ message }) => message)
const now = () => world.clock.now().toISOString().slice(0, 19)

describe('the newest comments', () => {
  it('are those on feeds that the caller sees, each with its feed and their reaction', async () => {
    const [open, inside, hidden] = [await post(), await post(space.id), await post(secret.id)]
    const first = await say(open, 'open')
    await say(inside, 'inside', ben)
    await say(hidden, 'hidden')
    await ben.api.reactions.toComment({ feed_id: open, comment_id: first, type: 'wow' })
    expect(await texts(ana)).toEqual(['hidden', 'inside', 'open'])
    expect(await texts(moderator)).toEqual(['hidden', 'inside', 'open'])
    const { comments, next_cursor } = await ben.api.comments.all()
    expect(comments.map(({ message }) => message)).toEqual(['inside', 'open'])
    expect(next_cursor).toBeNull()
    const { data } = await ben.api.comments.byId({ comment_id: first })
    const { data: feed } = await ben.api.feeds.byId({ feed_id: open })
    expect(comments[1]).toEqual({ ...data, post: { id: open, title: 'Title', slug: feed.slug, permalink: feed.permalink } })
    expect(data.has_user_react).toBe('wow')
    expect(await texts(ben, { space: space.slug })).toEqual(['inside'])
    await refused(ben.api.comments.all({ space: secret.slug }), 404, 'space_not_found')
    await refused(world.anonymous.comments.all(), 401, 'rest_forbidden')
    await leaveSpace(world, secret, ana)
    expect(await texts(ana)).toEqual(['inside', 'open'])
    await world.app.write(null, ({ db, now: joined_at }) =>
      db
        .insertInto('space_members')
        .values({ space_id: secret.id, user_id: ana.id, role: 'member', status: 'active', joined_at, updated_at: joined_at })
        .execute(),
    )
  })

  it('hide what is held, private or under a lesson', async () => {
    const open = await post()
    const held = await say(open, 'held')
    await moderator.api.comments.update({ feed_id: open, comment_id: held, status: 'spam' })
    const { data: alone } = await ana.api.feeds.create({ message: 'x', privacy: 'private' })
    await say(alone.id, 'private')
    const { courseId, lessons } = await makeSchool(await world.member({ role: 'admin' }), { lessons: 1, students: [ana] })
    const { data: lesson } = await ana.api.lessons.byId({ course_id: courseId, lesson_id: lessons[0] as number })
    await say(lesson.feed_id as number, 'lesson')
    expect([await texts(ana), await texts(ben), await texts(moderator)]).toEqual([['private'], [], ['private']])
  })

  it('are limited to what was created, or edited, since a time', async () => {
    const open = await post()
    const first = await say(open, 'first')
    await say(open, 'second')
    const start = now()
    await say(open, 'third')
    expect(await texts(ben, { since: start })).toEqual(['third'])
    await ana.api.comments.update({ feed_id: open, comment_id: first, comment: 'edited' })
    expect(await texts(ben)).toEqual(['edited', 'third', 'second'])
    expect([await texts(ben, { since: start }), await texts(ben, { updated_since: start })]).toEqual([['third'], ['edited', 'third']])
    expect(await texts(ben, { updated_since: '2031-01-01T00:00:00' })).toEqual([])
    for (const [query, field] of [
      ['since=soon', 'since'],
      ['updated_since=2026-13-01+00:00:00', 'updated_since'],
      ['cursor=nonsense', 'cursor'],
    ])
      expect((await ben.raw('GET', `/comments?${query}`)).body).toMatchObject({ code: 'invalid_parameter', data: { field } })
  })

  it('are continued by cursor, also through many that the caller does not see', async () => {
    const [open, hidden] = [await post(), await post(secret.id)]
    for (const text of ['1', '2', '3', '4', '5']) await say(open, text)
    const { data: row } = await ana.api.comments.byId({ comment_id: await say(hidden, 'hidden') })
    await world.app.write(null, async ({ db }) => {
      const copy = {
        user_id: ana.id,
        post_id: hidden,
        message: 'x',
        message_rendered: 'x',
        created_at: row.created_at,
        updated_at: row.updated_at,
      }
      for (let i = 0; i < 25; i++)
        await db
          .insertInto('comments')
          .values(Array.from({ length: 100 }, () => copy))
          .execute()
    })
    await say(open, '6')
    const found: string[][] = []
    for await (const page of pages(ben.api.comments.all, { per_page: 2 })) found.push(page.comments.map(({ message }) => message))
    expect(found.flat()).toEqual(['6', '5', '4', '3', '2', '1'])
    expect(found[0]).toEqual(['6'])
    expect(Math.max(...found.map(({ length }) => length))).toBe(2)
  })
})

it.runIf(process.env.LYCEUM_TEST_DATABASE === 'sqlite')('a page reads an index', async () => {
  await say(await post(), 'x')
  for (const query of [{}, { since: now() }, { updated_since: now() }, { space: space.slug }])
    await expectNoScan(world, () => ana.api.comments.all(query))
})
