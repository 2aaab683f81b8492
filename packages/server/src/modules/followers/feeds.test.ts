import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'

let world: World
let author: Member
let follower: Member
let asking: Member
let outsider: Member
let feed: { id: number; slug: string }

const WORD = 'quokka'

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const setPrivate = (who: Member, is_private: 0 | 1) =>
  world.app.write(null, async ({ db }) => {
    await db.updateTable('users').set({ is_private }).where('id', '=', who.id).execute()
  })

beforeEach(async () => {
  ;[author, follower, asking, outsider] = [await world.member(), await world.member(), await world.member(), await world.member()]
  await follower.api.followers.follow({ username: author.username })
  await author.api.followers.follow({ username: outsider.username })
  await setPrivate(author, 1)
  await asking.api.followers.follow({ username: author.username })
  feed = (await author.api.feeds.create({ message: `A ${WORD} for my followers`, privacy: 'private' })).data
  await world.runPendingJobs()
})

/** Whether the private post is found, by endpoint. */
const placesOf = async ({ api, raw }: Member): Promise<Record<string, boolean>> => {
  const own = { user_id: author.id }
  const has = (list: { data: readonly { id: number }[] }) => list.data.some(({ id }) => id === feed.id)
  const [list, plain, ofAuthor, found, ticker, activities, byId, bySlug, comments] = await Promise.all([
    api.feeds.list({ per_page: 100 }),
    api.feeds.list({ per_page: 100, type: 'feed' }),
    api.feeds.list(own),
    api.feeds.list({ search: WORD, per_page: 100 }),
    raw('GET', '/feeds/ticker'),
    raw('GET', '/activities?per_page=100'),
    raw('GET', `/feeds/${feed.id}/by-id`),
    raw('GET', `/feeds/${feed.slug}/by-slug`),
    raw('GET', `/feeds/${feed.id}/comments`),
  ])
  return {
    list: has(list.feeds),
    plain: has(plain.feeds),
    ofAuthor: has(ofAuthor.feeds) && ofAuthor.feeds.total === 1,
    search: has(found.feeds),
    ticker: ticker.text.includes(feed.slug),
    activities: activities.text.includes(feed.slug),
    byId: byId.status === 200,
    bySlug: bySlug.status === 200,
    comments: comments.status === 200,
    profile: (await api.profiles.get({ username: author.username })).profile.stats.posts_count === 1,
  }
}
const everywhere = (seen: boolean) =>
  Object.fromEntries(
    ['list', 'plain', 'ofAuthor', 'search', 'ticker', 'activities', 'byId', 'bySlug', 'comments', 'profile'].map((name) => [name, seen]),
  )

/** Asserts that the totals of a list match its length, for stored counts too. */
const expectTrueTotals = async ({ api }: Member) => {
  for (const query of [{}, { disable_sticky: 'yes' as const }, { type: 'feed' as const }]) {
    for (let i = 0; i < 2; i++) {
      const { feeds } = await api.feeds.list({ ...query, per_page: 100 })
      expect({ query, total: feeds.total }).toEqual({ query, total: feeds.data.length })
    }
  }
}

describe('a private post outside of spaces', () => {
  it('is visible to its author, active followers and moderators, in all endpoints or none', async () => {
    const moderator = await world.member({ role: 'moderator' })
    for (const who of [author, follower, moderator]) expect(await placesOf(who)).toEqual(everywhere(true))
    // That the author follows the outsider gives the outsider no rights.
    for (const who of [asking, outsider]) expect(await placesOf(who)).toEqual(everywhere(false))
    for (const who of [author, follower, moderator, asking, outsider]) await expectTrueTotals(who)
  })

  it('becomes visible with an approval, and hidden after removal or leaving', async () => {
    for (const who of [asking, follower]) await expectTrueTotals(who)
    const [request] = (await author.api.followers.requests()).data
    await author.api.followers.approve({ request_id: request?.id as number })
    expect(await placesOf(asking)).toEqual(everywhere(true))
    await expectTrueTotals(asking)
    await author.api.followers.removeFollower({ username: asking.username })
    await follower.api.followers.unfollow({ username: author.username })
    for (const who of [asking, follower]) {
      expect(await placesOf(who)).toEqual(everywhere(false))
      await expectTrueTotals(who)
    }
  })

  it('accepts comments, reactions, votes and bookmarks of its readers', async () => {
    const { data: comment } = await follower.api.comments.create({ feed_id: feed.id, comment: 'Lovely' })
    await follower.api.reactions.toFeed({ feed_id: feed.id, type: 'love' })
    await follower.api.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark' })
    await follower.api.reactions.toComment({ feed_id: feed.id, comment_id: comment.id, type: 'like' })
    expect((await follower.api.bookmarks.list()).data.map((row) => row.feed_id)).toEqual([feed.id])
    for (const who of [asking, outsider]) {
      await refused(who.api.comments.create({ feed_id: feed.id, comment: 'x' }), 404, 'feed_not_found')
      await refused(who.api.reactions.toFeed({ feed_id: feed.id, type: 'like' }), 404, 'content_not_found')
      await refused(who.api.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark' }), 404, 'feed_not_found')
    }
    await author.api.followers.removeFollower({ username: follower.username })
    const { data, meta } = await follower.api.bookmarks.list()
    expect([data, meta.total]).toEqual([[], 0])
    await refused(follower.api.comments.byId({ comment_id: comment.id }), 404, 'comment_not_found')
    await refused(follower.api.feeds.update({ feed_id: feed.id, message: 'x' }), 404, 'feed_not_found')
  })

  it('gives its readers no management rights', async () => {
    await refused(follower.api.feeds.update({ feed_id: feed.id, message: 'x' }), 403, 'rest_forbidden')
    await refused(follower.api.feeds.remove({ feed_id: feed.id }), 403, 'rest_forbidden')
  })

  it('is hidden from followers in another status or space', async () => {
    const space = await makeSpace(world, { members: [author] })
    for (const body of [{ status: 'draft' }, { status: 'published', space_id: space.id }] as const) {
      await author.api.feeds.update({ feed_id: feed.id, ...body })
      expect(await placesOf(follower)).toEqual(everywhere(false))
      await expectTrueTotals(follower)
    }
    await author.api.feeds.update({ feed_id: feed.id, space_id: null })
    expect(await placesOf(follower)).toEqual(everywhere(true))
    await expectTrueTotals(follower)
  })

  it('stays visible to existing followers while the feature is disabled', async () => {
    const turn = (followers: boolean) => world.app.write(null, (ctx) => saveSettings(ctx, { features: { followers } }))
    await turn(false)
    expect(await placesOf(follower)).toEqual(everywhere(true))
    await turn(true)
  })
})
