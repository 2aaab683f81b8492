import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { expectMissing, expectNoEffect, makeStage, NO_ID, type Stage, SURVEY } from './stage.ts'

let world: World
let stage: Stage

beforeAll(async () => {
  world = await createWorld()
  stage = await makeStage(world)
})
afterAll(() => world.close())

const follow = (who: Member, whom: Member, body?: object, headers?: Record<string, string>) =>
  who.raw('POST', `/profile/${whom.username}/follow`, body, headers)
const statusOf = async (who: Member, whom: Member) => (await who.api.followers.status({ username: whom.username })).data.status
const requestOf = async (who: Member, whom: Member): Promise<number> => {
  const { data } = await whom.api.followers.requests()
  return data.find(({ follower_id }) => follower_id === who.id)?.id as number
}

describe('vuln-03: nobody decides on requests or follows of others', () => {
  test('requesters cannot approve themselves, nor can others', async () => {
    const request = await requestOf(stage.attacker, stage.victim)
    for (const who of [stage.attacker, stage.moderator, stage.admin]) {
      for (const verb of ['approve', 'reject']) {
        await expectNoEffect(world, async () => {
          const answer = await who.raw('POST', `/profile/follow-requests/${request}/${verb}`, { status: 'active', following_id: who.id })
          expectMissing(answer, await who.raw('POST', `/profile/follow-requests/${NO_ID}/${verb}`), `${verb} by ${who.username}`)
        })
      }
    }
    expect(await statusOf(stage.attacker, stage.victim)).toBe('pending')
  })

  test('an active follow is not a request and cannot be decided by its id', async () => {
    const [fan, star] = [await world.member(), await world.member()]
    const { data } = (await follow(fan, star)).body
    for (const verb of ['approve', 'reject']) {
      expect((await star.raw('POST', `/profile/follow-requests/${data.id}/${verb}`)).body.code).toBe('request_not_found')
    }
    expect(await statusOf(fan, star)).toBe('active')
  })

  test('a body cannot make others follow, or approve anybody', async () => {
    const who = await world.member()
    const other = await world.member()
    const body = { follower_id: other.id, following_id: who.id, user_id: other.id, status: 'active', is_private: 0 }
    expect((await follow(who, stage.victim, body)).body.data).toEqual({ status: 'pending' })
    expect(await statusOf(who, stage.victim)).toBe('pending')
    expect(await statusOf(other, stage.victim)).toBe('')
    await other.api.followers.follow({ username: who.username })
    expect((await who.raw('POST', `/profile/${stage.victim.username}/unfollow`, body)).status).toBe(200)
    expect(await statusOf(other, who)).toBe('active')
    await expectSound(world)
  })

  test('a replayed response does nothing again', async () => {
    const [fan, star] = [await world.member(), await world.member()]
    const key = { 'idempotency-key': 'follow-once' }
    const first = await follow(fan, star, undefined, key)
    await star.api.followers.removeFollower({ username: fan.username })
    const again = await follow(fan, star, undefined, key)
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    expect(await statusOf(fan, star)).toBe('')
    await expectSound(world)
  })
})

describe('vuln-13: read access ends with the follow', () => {
  let star: Member
  let fan: Member
  beforeEach(async () => {
    star = await world.member()
    fan = await world.member()
    await fan.api.followers.follow({ username: star.username })
  })

  const ends: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['who was removed', () => star.api.followers.removeFollower({ username: fan.username })],
    ['who went', () => fan.api.followers.unfollow({ username: star.username })],
    [
      'who went and waits to be let in again',
      async () => {
        await fan.api.followers.unfollow({ username: star.username })
        await world.app.write(null, async ({ db }) => {
          await db.updateTable('users').set({ is_private: 1 }).where('id', '=', star.id).execute()
        })
        await fan.api.followers.follow({ username: star.username })
      },
    ],
  ]

  test.each(ends)('%s finds nothing of it, not even their own comments', async (_who, end) => {
    const { data: feed } = await star.api.feeds.create({ message: 'Among us: xylophone', privacy: 'private', meta: { survey: SURVEY } })
    const feed_id = feed.id
    const { data: comment } = await fan.api.comments.create({ feed_id, comment: 'Xylophone indeed' })
    const { data: reacted } = await fan.api.reactions.toFeed({ feed_id, type: 'like' })
    await fan.api.reactions.toFeed({ feed_id, react_type: 'bookmark' })
    await fan.api.surveys.vote({ feed_id, option_slug: 'a' })
    const lists = ['/feeds', '/feeds?search=xylophone', `/feeds?user_id=${star.id}`, '/feeds/bookmarks', '/feeds/ticker']
    // Read before, so that a cached response would be found.
    for (const path of lists) await fan.raw('GET', path)
    await world.runPendingJobs()
    expect((await fan.raw('GET', '/feeds')).text).toContain('xylophone')
    await end()
    for (const path of lists) {
      const { status, text } = await fan.raw('GET', path)
      expect([path, status, /xylophone/i.test(text)]).toEqual([path, 200, false])
    }
    const one: readonly (readonly [method: string, path: string, missing: string, body?: object])[] = [
      ['GET', `/feeds/${feed_id}/by-id`, `/feeds/${NO_ID}/by-id`],
      ['GET', `/feeds/${feed.slug}/by-slug`, '/feeds/no-such-feed/by-slug'],
      ['GET', `/feeds/${feed_id}/comments`, `/feeds/${NO_ID}/comments`],
      ['GET', `/feeds/${feed_id}/reactions`, `/feeds/${NO_ID}/reactions`],
      ['GET', `/comments/${comment.id}`, `/comments/${NO_ID}`],
      ['GET', `/comments/${comment.id}/reactions`, `/comments/${NO_ID}/reactions`],
      ['POST', `/feeds/${feed_id}/comments`, `/feeds/${NO_ID}/comments`, { comment: 'x' }],
      ['POST', `/feeds/${feed_id}/comments/${comment.id}`, `/feeds/${feed_id}/comments/${NO_ID}`, { comment: 'x' }],
      ['DELETE', `/feeds/${feed_id}/comments/${comment.id}`, `/feeds/${feed_id}/comments/${NO_ID}`],
      ['POST', `/feeds/${feed_id}/react`, `/feeds/${NO_ID}/react`, { type: 'like' }],
      ['DELETE', `/reactions/${reacted.reaction?.id}`, `/reactions/${NO_ID}`],
      ['POST', `/feeds/${feed_id}/apps/survey-vote`, `/feeds/${NO_ID}/apps/survey-vote`, { option_slug: 'a' }],
      ['POST', `/feeds/${feed_id}`, `/feeds/${NO_ID}`, { message: 'x' }],
      ['DELETE', `/feeds/${feed_id}`, `/feeds/${NO_ID}`],
    ]
    await expectNoEffect(world, async () => {
      for (const [method, path, missing, body] of one) {
        expectMissing(await fan.raw(method, path, body), await fan.raw(method, missing, body), `${method} ${path}`)
      }
    })
    await expectSound(world)
  })
})
