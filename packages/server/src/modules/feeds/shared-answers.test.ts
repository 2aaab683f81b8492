import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
let cleo: Member
let ids: number[]
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
  cleo = await world.member()
  const secret = await makeSpace(world, { privacy: 'secret', members: [cleo] })
  await cleo.api.feeds.create({ message: 'Among us', space_id: secret.id })
  world.clock.advance(60)
  ids = []
  for (const message of ['one', 'two', 'three']) ids.unshift((await ana.api.feeds.create({ message })).data.id)
})
afterAll(() => world.close())

/** The response to each caller, repeated until it is cached. */
const shown = async (who: readonly Member[], path = '/feeds?per_page=2') => {
  const ask = () => Promise.all(who.map((one) => one.raw('GET', path)))
  const rounds = [await ask(), await ask(), await ask(), await ask()]
  const views = rounds.map((answers) =>
    answers.map(({ body, headers }) => {
      const { data, total, next_cursor } = body.feeds
      const marks = data.map((feed: { id: number; has_user_react: unknown; bookmarked: boolean }) => [
        feed.id,
        feed.has_user_react,
        feed.bookmarked,
      ])
      return { marks, total, more: next_cursor !== null, sticky: body.sticky?.id ?? null, tag: headers.get('etag') }
    }),
  )
  for (const view of views) expect(view).toEqual(views[0])
  return views[0] ?? []
}
const unmarked = (...feeds: (number | undefined)[]) => feeds.map((id) => [id, null, false])

test('callers who see the same share a response; callers who see more get the same page of a longer list', async () => {
  const [one, two, three] = await shown([ana, ben, cleo])
  expect(one).toMatchObject({ marks: unmarked(ids[0], ids[1]), total: 3, more: true })
  expect(two).toEqual(one)
  expect(three).toMatchObject({ marks: unmarked(ids[0], ids[1]), total: 4, more: true })
  expect(three?.tag).not.toBe(one?.tag)
})

test('reactions and bookmarks of one caller are not shown to others, including in the pinned feed', async () => {
  await ben.raw('POST', `/feeds/${ids[0]}/react`, { type: 'like' })
  const [one, two] = await shown([ana, ben])
  expect([one?.marks[0], two?.marks[0]]).toEqual([
    [ids[0], null, false],
    [ids[0], 'like', false],
  ])
  await ana.api.reactions.toFeed({ feed_id: ids[1] as number, react_type: 'bookmark' })
  const [later, same] = await shown([ana, ben])
  expect([later?.marks[1], same?.marks]).toEqual([[ids[1], null, true], two?.marks])
})

test('a page by number and a page by cursor differ even with the same feeds', async () => {
  const { feeds } = await cleo.api.feeds.list({ per_page: 2 })
  const byNumber = (await cleo.raw('GET', '/feeds?per_page=2&page=2')).body.feeds
  for (let i = 0; i < 3; i++) {
    const byCursor = (await cleo.raw('GET', `/feeds?per_page=2&page=2&cursor=${feeds.next_cursor}`)).body.feeds
    expect([byCursor.from, byCursor.data]).toEqual([null, byNumber.data])
    expect((await cleo.raw('GET', '/feeds?per_page=2&page=2')).body.feeds).toEqual(byNumber)
  }
})

test('a changed feed is shown as changed', async () => {
  await shown([ana, ben, cleo])
  await ana.api.feeds.update({ feed_id: ids[0] as number, title: 'Another title' })
  for (const one of [ana, ben, cleo])
    expect((await one.raw('GET', '/feeds?per_page=2')).body.feeds.data[0]).toMatchObject({ id: ids[0], title: 'Another title' })
})
