import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsWith, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let author: Member
let other: Member
let outsider: Member
let moderator: Member
let spaceModerator: Member
let space: Space
let secret: Space
beforeAll(async () => {
  world = await createWorld()
  ;[author, other, outsider, spaceModerator] = await Promise.all([world.member(), world.member(), world.member(), world.member()])
  moderator = await world.member({ role: 'moderator' })
  space = await makeSpace(world, { members: [author, other], moderators: [spaceModerator] })
  secret = await makeSpace(world, { members: [author, other], privacy: 'secret' })
})
afterAll(() => world.close())

const ask = async (type: 'question' | 'text' = 'question', where = space) => {
  const { data } = await author.api.feeds.create({ message: 'How?', type, space_id: where.id })
  const answer = await other.api.comments.create({ feed_id: data.id, comment: 'So' })
  return { feed_id: data.id, comment_id: answer.data.id }
}
const isHelpful = async ({ comment_id }: { comment_id: number }) => (await author.api.comments.byId({ comment_id })).data.is_helpful

test('the author of the question marks a comment and removes the mark', async () => {
  const ids = await ask()
  expect(await isHelpful(ids)).toBe(false)
  expect((await author.api.comments.markHelpful(ids)).data).toEqual({ id: ids.comment_id, is_helpful: true })
  expect(await isHelpful(ids)).toBe(true)
  const { comments } = await other.api.comments.list({ feed_id: ids.feed_id })
  expect(comments[0]?.is_helpful).toBe(true)
  const { data } = await other.api.feeds.byId({ feed_id: ids.feed_id })
  expect(data.comments[0]?.is_helpful).toBe(true)
  expect((await author.api.comments.unmarkHelpful(ids)).data.is_helpful).toBe(false)
  await author.api.comments.markHelpful(ids)
  expect((await author.api.comments.markHelpful({ ...ids, remove: true })).data.is_helpful).toBe(false)
  expect(await isHelpful(ids)).toBe(false)
})

test('repeating it emits no event', async () => {
  const ids = await ask()
  for (let i = 0; i < 3; i++) await author.api.comments.markHelpful(ids)
  for (let i = 0; i < 3; i++) await author.api.comments.unmarkHelpful(ids)
  const told = (await eventsWith(world, ids)).filter((name) => /marked/.test(name))
  expect(told).toEqual(['comment.marked_helpful', 'comment.unmarked_helpful'])
})

describe('is refused', () => {
  test('to anyone but the author of the question and moderators', async () => {
    const ids = await ask()
    for (const who of [other, outsider]) {
      await refused(who.api.comments.markHelpful(ids), 403, 'rest_forbidden')
      await refused(who.api.comments.unmarkHelpful(ids), 403, 'rest_forbidden')
    }
    for (const who of [moderator, spaceModerator]) {
      await who.api.comments.markHelpful(ids)
      expect(await isHelpful(ids)).toBe(true)
      await who.api.comments.unmarkHelpful(ids)
    }
    await refused(world.anonymous.comments.markHelpful(ids), 401, 'rest_forbidden')
  })

  test('to the author of a feed that is not a question', async () => {
    const ids = await ask('text')
    await refused(author.api.comments.markHelpful(ids), 403, 'rest_forbidden')
    await spaceModerator.api.comments.markHelpful(ids)
  })

  test('for an unpublished comment', async () => {
    const ids = await ask()
    await moderator.api.comments.update({ ...ids, status: 'spam' })
    await refused(author.api.comments.markHelpful(ids), 404, 'comment_not_found')
    await refused(moderator.api.comments.markHelpful(ids), 403, 'rest_forbidden')
  })

  test('with 404 if the comment is hidden or belongs to another feed', async () => {
    const ids = await ask('question', secret)
    await refused(outsider.api.comments.markHelpful(ids), 404, 'comment_not_found')
    const elsewhere = await ask()
    await refused(author.api.comments.markHelpful({ ...ids, feed_id: elsewhere.feed_id }), 404, 'comment_not_found')
    await refused(author.api.comments.markHelpful({ ...ids, comment_id: 999_999 }), 404, 'comment_not_found')
  })
})
