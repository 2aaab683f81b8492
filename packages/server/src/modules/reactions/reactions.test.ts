import { REACTION_TYPES } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsWith, grant, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { expectInOrder, expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { eraseReactions } from './erase.ts'
import { commentReactionCounts, feedReactionCounts } from './view.ts'

let world: World
let ana: Member
let bob: Member
let cleo: Member
let moderator: Member
let space: Space

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  bob = await world.member()
  cleo = await world.member()
  moderator = await world.member({ role: 'moderator' })
  space = await makeSpace(world, { members: [ana, bob] })
})
afterAll(() => world.close())

const post = async (space_id: number | null = null): Promise<number> =>
  (await ana.api.feeds.create({ message: 'A feed', space_id })).data.id
const thread = async (space_id: number | null = null) => {
  const feed_id = await post(space_id)
  return { feed_id, comment_id: (await bob.api.comments.create({ feed_id, comment: 'x' })).data.id }
}
const feedOf = async (feed_id: number) => (await ana.api.feeds.byId({ feed_id })).data
const commentOf = async (comment_id: number) => (await ana.api.comments.byId({ comment_id })).data

it('the lists say whom the caller follows', async () => {
  const { feed_id, comment_id } = await thread()
  for (const who of [ana, cleo]) {
    await who.api.reactions.toFeed({ feed_id, type: 'like' })
    await who.api.reactions.toComment({ feed_id, comment_id, type: 'like' })
  }
  await bob.api.followers.follow({ username: cleo.username })
  const follows = async (who: Member) => [
    (await who.api.reactions.ofFeed({ feed_id })).current_user_follows,
    (await who.api.reactions.ofComment({ comment_id })).current_user_follows,
  ]
  expect(await follows(bob)).toEqual([{ [cleo.id]: 1 }, { [cleo.id]: 1 }])
  expect(await follows(cleo)).toEqual([{}, {}])
  await bob.api.followers.unfollow({ username: cleo.username })
})

describe('reaction counts by type', () => {
  it('are in feeds, comments and lists, most common first, also after a change or removal', async () => {
    const { feed_id, comment_id } = await thread()
    const told = async () => {
      const { feeds } = await ana.api.feeds.list({ per_page: 50, disable_sticky: 'yes' })
      const { comments } = await ana.api.comments.list({ feed_id })
      const { comments: own } = await ana.api.profiles.comments({ username: bob.username, per_page: 50 })
      const feed = (await feedOf(feed_id)).reaction_types
      const comment = (await commentOf(comment_id)).reaction_types
      expect(feeds.data.find(({ id }) => id === feed_id)?.reaction_types).toEqual(feed)
      expect(comments.map(({ reaction_types }) => reaction_types)).toEqual([comment])
      expect(own.data.find(({ id }) => id === comment_id)?.reaction_types).toEqual(comment)
      return [feed, comment].map((counts) => counts.map(({ type, count }) => `${type} ${count}`).join(', '))
    }
    expect(await told()).toEqual(['', ''])
    const react = async (who: Member, type: string) => {
      await who.api.reactions.toFeed({ feed_id, type })
      await who.api.reactions.toComment({ feed_id, comment_id, type })
    }
    for (const who of [ana, bob]) await react(who, 'like')
    for (const type of ['love', 'wow', 'sad']) await react(cleo, type)
    expect(await told()).toEqual(['like 2, sad 1', 'like 2, sad 1'])
    await react(ana, 'sad')
    expect(await told()).toEqual(['sad 2, like 1', 'sad 2, like 1'])
    await react(bob, 'like')
    expect(await told()).toEqual(['sad 2', 'sad 2'])
  })

  it.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('are counted using an index', async () => {
    const { feed_id, comment_id } = await thread()
    const { read } = world.app.services.database
    await expectInOrder(world, () => feedReactionCounts(read, [feed_id]))
    await expectNoScan(world, () => commentReactionCounts(read, [comment_id]))
  })
})

describe('reacting to a feed', () => {
  it.each(REACTION_TYPES)('adds %s', async (type) => {
    const feed_id = await post()
    const { status, body } = await bob.api.reactions.toFeed.answer({ feed_id, type })
    expect(status).toBe(200)
    expect(body.data.action).toBe('added')
    expect(body.data.reaction).toEqual({
      id: body.data.reaction?.id,
      user_id: bob.id,
      object_id: feed_id,
      parent_id: 0,
      object_type: 'feed',
      type,
      ip_address: '127.0.0.1',
      created_at: '2026-03-10 12:00:00',
      updated_at: '2026-03-10 12:00:00',
    })
    expect(await feedOf(feed_id)).toMatchObject({ reactions_count: 1, has_user_react: null, comments_count: 0 })
    expect((await bob.api.feeds.byId({ feed_id })).data.has_user_react).toBe(type)
  })

  it('toggles: the same type removes, another type replaces', async () => {
    const feed_id = await post()
    const react = async (type: string) => (await bob.api.reactions.toFeed({ feed_id, type })).data
    const first = await react('like')
    const second = await react('love')
    expect([first.action, second.action, second.reaction?.type, second.reaction?.id]).toEqual([
      'added',
      'added',
      'love',
      first.reaction?.id,
    ])
    expect((await bob.api.reactions.ofFeed({ feed_id })).reactions.map((row) => row.type)).toEqual(['love'])
    expect((await feedOf(feed_id)).reactions_count).toBe(1)
    expect(await react('love')).toEqual({ action: 'removed' })
    expect((await feedOf(feed_id)).reactions_count).toBe(0)
    expect((await react('like')).action).toBe('added')
    expect(await eventsWith(world, { feed_id, user_id: bob.id })).toEqual(['reaction.added', 'reaction.removed', 'reaction.added'])
  })

  it.each(['feed', 'comment'] as const)('to a %s can be set idempotently with state', async (kind) => {
    const { feed_id, comment_id } = await thread()
    const path = kind === 'feed' ? `/feeds/${feed_id}/react` : `/feeds/${feed_id}/comments/${comment_id}/reactions`
    const object_id = kind === 'feed' ? feed_id : comment_id
    const ask = async (body: object) => {
      const { status, body: answer } = await cleo.raw('POST', path, body)
      const { has_user_react, reactions_count } =
        kind === 'feed' ? (await cleo.api.feeds.byId({ feed_id })).data : (await cleo.api.comments.byId({ comment_id })).data
      return [status, answer.data.action, answer.data.reaction?.type ?? null, has_user_react, reactions_count]
    }
    expect(await ask({ type: 'like', state: true })).toEqual([200, 'added', 'like', 'like', 1])
    expect(await ask({ type: 'like', state: 1 })).toEqual([200, 'unchanged', 'like', 'like', 1])
    expect(await ask({ type: 'love', state: '1' })).toEqual([200, 'added', 'love', 'love', 1])
    expect(await ask({ type: 'like', state: false })).toEqual([200, 'unchanged', 'love', 'love', 1])
    expect(await ask({ type: 'love', state: 0 })).toEqual([200, 'removed', null, null, 0])
    expect(await ask({ type: 'love', state: 'false' })).toEqual([200, 'unchanged', null, null, 0])
    expect(await ask({ state: true })).toEqual([200, 'added', 'like', 'like', 1])
    expect(await ask({ type: 'like', remove: true })).toEqual([200, 'removed', null, null, 0])
    expect(await ask({ type: 'like', remove: '1' })).toEqual([200, 'unchanged', null, null, 0])
    expect(await ask({ type: 'angry' })).toEqual([200, 'added', 'angry', 'angry', 1])
    expect(await ask({ remove: true })).toEqual([200, 'removed', null, null, 0])
    expect(await ask({ remove: true })).toEqual([200, 'unchanged', null, null, 0])
    for (const body of [
      { type: 'like', state: true, remove: true },
      { type: 'like', state: 'maybe' },
      { type: 'like', state: 2 },
    ]) {
      const { status, body: answer } = await cleo.raw('POST', path, body)
      expect([body, status, answer.code]).toEqual([body, 400, 'invalid_data'])
    }
    const named: Record<string, number> = kind === 'feed' ? { feed_id: object_id } : { comment_id: object_id }
    expect(await eventsWith(world, { ...named, user_id: cleo.id })).toEqual([
      'reaction.added',
      'reaction.removed',
      'reaction.added',
      'reaction.removed',
      'reaction.added',
      'reaction.removed',
    ])
    expect((await cleo.raw('POST', '/feeds/987654321/react', { state: true })).body.code).toBe('content_not_found')
  })

  it('set concurrently many times exists once', async () => {
    const feed_id = await post()
    const answers = await Promise.all(Array.from({ length: 8 }, () => bob.api.reactions.toFeed({ feed_id, type: 'like', state: true })))
    expect(answers.map(({ data }) => data.action).sort()).toEqual(['added', ...Array(7).fill('unchanged')])
    expect((await feedOf(feed_id)).reactions_count).toBe(1)
  })

  it('counts each member once, including the author', async () => {
    const feed_id = await post()
    for (const who of [ana, bob, cleo]) await who.api.reactions.toFeed({ feed_id, type: 'wow' })
    expect((await feedOf(feed_id)).reactions_count).toBe(3)
  })

  it('accepts six types', async () => {
    const { feed_id, comment_id } = await thread()
    const bad = [{}, { type: '' }, { type: 'LIKE' }, { type: 'constructor' }, { type: 'toString' }, { type: 'bookmark' }, { type: 7 }]
    const odd = [
      { type: null },
      { type: ['like'] },
      { react_type: 'nonsense', type: '' },
      { react_type: 'like', type: '' },
      { remove: false },
      { type: 'LIKE', remove: true },
      { type: 'LIKE', state: true },
    ]
    for (const body of [...bad, ...odd]) {
      for (const path of [`/feeds/${feed_id}/react`, `/feeds/${feed_id}/comments/${comment_id}/reactions`, '/feeds/987654321/react']) {
        const { status, body: answer } = await bob.raw('POST', path, body)
        expect({ path, body, status, code: answer.code }).toEqual({ path, body, status: 400, code: 'invalid_reaction_type' })
      }
    }
    expect((await feedOf(feed_id)).reactions_count).toBe(0)
  })
})

describe('reacting to a comment', () => {
  it('counts on the comment and not on the feed', async () => {
    const { feed_id, comment_id } = await thread()
    const { data } = await cleo.api.reactions.toComment({ feed_id, comment_id, type: 'laugh' })
    expect(data).toMatchObject({
      action: 'added',
      reaction: { object_type: 'comment', object_id: comment_id, parent_id: feed_id, type: 'laugh' },
    })
    expect((await commentOf(comment_id)).reactions_count).toBe(1)
    expect((await feedOf(feed_id)).reactions_count).toBe(0)
    expect((await cleo.api.feeds.byId({ feed_id })).data.has_user_react).toBeNull()
    expect(await eventsWith(world, { feed_id, comment_id, user_id: cleo.id })).toEqual(['reaction.added'])
  })

  it('toggles as on a feed', async () => {
    const { feed_id, comment_id } = await thread()
    const react = async (type: string) => (await ana.api.reactions.toComment({ feed_id, comment_id, type })).data.action
    expect([await react('like'), await react('sad')]).toEqual(['added', 'added'])
    expect((await ana.api.reactions.ofComment({ comment_id })).reactions.map((row) => row.type)).toEqual(['sad'])
    expect(await react('sad')).toBe('removed')
    expect((await commentOf(comment_id)).reactions_count).toBe(0)
  })

  it('needs the comment’s own feed in the path', async () => {
    const { comment_id } = await thread()
    const other = await post()
    await refused(ana.api.reactions.toComment({ feed_id: other, comment_id, type: 'like' }), 404, 'content_not_found')
    await refused(ana.api.reactions.toComment({ feed_id: other, comment_id: 987_654_321, type: 'like' }), 404, 'content_not_found')
    expect((await commentOf(comment_id)).reactions_count).toBe(0)
  })

  it('is refused for pending comments', async () => {
    const { feed_id, comment_id } = await thread()
    await moderator.api.comments.update({ feed_id, comment_id, status: 'pending' })
    await refused(ana.api.reactions.toComment({ feed_id, comment_id, type: 'like' }), 404, 'content_not_found')
    await refused(ana.api.reactions.ofComment({ comment_id }), 404, 'content_not_found')
    await refused(bob.api.reactions.toComment({ feed_id, comment_id, type: 'like' }), 403, 'rest_forbidden')
  })
})

describe('lists', () => {
  it('return members who reacted, newest first, optionally of one type', async () => {
    const { feed_id, comment_id } = await thread()
    const target = { feed_id, comment_id }
    await ana.api.reactions.toFeed({ feed_id, type: 'like' })
    await bob.api.reactions.toFeed({ feed_id, type: 'angry' })
    await cleo.api.reactions.toFeed({ feed_id, type: 'like' })
    await cleo.api.reactions.toComment({ ...target, type: 'like' })
    const { reactions, pagination } = await cleo.api.reactions.ofFeed({ feed_id })
    expect(reactions.map((row) => [row.user_id, row.type, row.xprofile.username, row.ip_address])).toEqual([
      [cleo.id, 'like', cleo.username, '127.0.0.1'],
      [bob.id, 'angry', bob.username, ''],
      [ana.id, 'like', ana.username, ''],
    ])
    expect(pagination).toEqual({ total: 3, per_page: 20, current_page: 1, total_pages: 1 })
    const likes = await ana.api.reactions.ofFeed({ feed_id, type: 'like', per_page: 1, page: 2 })
    expect([likes.reactions.map((row) => row.user_id), likes.pagination.total]).toEqual([[ana.id], 2])
    expect((await ana.api.reactions.ofComment({ comment_id })).reactions.map((row) => row.object_type)).toEqual(['comment'])
    expect((await ana.api.reactions.ofComment({ comment_id, type: 'wow' })).pagination.total).toBe(0)
    for (const type of ['LIKE', 'constructor']) {
      for (const path of [`/feeds/${feed_id}/reactions`, `/comments/${comment_id}/reactions`]) {
        const { status, body } = await ana.raw('GET', `${path}?type=${type}`)
        expect([status, body.code, body.data.field]).toEqual([400, 'invalid_reaction_type', 'type'])
      }
    }
  })

  it('are read from an index in order', async () => {
    if (world.dialect !== 'sqlite') return
    const { feed_id, comment_id } = await thread()
    await expectInOrder(world, () => ana.api.reactions.ofFeed({ feed_id }))
    await expectInOrder(world, () => ana.api.reactions.ofFeed({ feed_id, type: 'like', page: 2 }))
    await expectInOrder(world, () => ana.api.reactions.ofComment({ comment_id }))
    await expectInOrder(world, () => ana.api.reactions.ofComment({ comment_id, type: 'like' }))
  })
})

describe('removing', () => {
  it('is allowed to the owner and to moderators', async () => {
    const { feed_id, comment_id } = await thread(space.id)
    const onFeed = (await bob.api.reactions.toFeed({ feed_id, type: 'like' })).data.reaction?.id ?? 0
    const onComment = (await bob.api.reactions.toComment({ feed_id, comment_id, type: 'like' })).data.reaction?.id ?? 0
    for (const reaction_id of [onFeed, onComment]) {
      for (const who of [ana, cleo]) await refused(who.api.reactions.remove({ reaction_id }), 403, 'rest_forbidden')
    }
    await bob.api.reactions.remove({ reaction_id: onFeed })
    await moderator.api.reactions.remove({ reaction_id: onComment })
    expect((await feedOf(feed_id)).reactions_count).toBe(0)
    expect((await commentOf(comment_id)).reactions_count).toBe(0)
    expect(await eventsWith(world, { feed_id, user_id: bob.id, reaction_id: onComment })).toEqual(['reaction.added', 'reaction.removed'])
    await refused(bob.api.reactions.remove({ reaction_id: onFeed }), 404, 'reaction_not_found')
    await refused(world.anonymous.reactions.remove({ reaction_id: onFeed }), 401, 'rest_forbidden')
  })

  it('decrements once for concurrent requests', async () => {
    const feed_id = await post()
    await ana.api.reactions.toFeed({ feed_id, type: 'like' })
    const reaction_id = (await bob.api.reactions.toFeed({ feed_id, type: 'like' })).data.reaction?.id ?? 0
    const answers = await Promise.all(Array.from({ length: 10 }, () => bob.raw('DELETE', `/reactions/${reaction_id}`)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 404)])
    expect((await feedOf(feed_id)).reactions_count).toBe(1)
  })

  it('responds the same for a hidden and a missing reaction', async () => {
    const secret = await makeSpace(world, { privacy: 'secret', members: [ana, bob] })
    const { feed_id, comment_id } = await thread(secret.id)
    const onFeed = (await ana.api.reactions.toFeed({ feed_id, type: 'like' })).data.reaction?.id
    const onComment = (await ana.api.reactions.toComment({ feed_id, comment_id, type: 'like' })).data.reaction?.id
    const scoped = await world.member({ role: 'moderator' })
    await grant(world, scoped, ['manage_comments', 'manage_feeds'], [space])
    await leaveSpace(world, secret, bob)
    for (const who of [cleo, scoped, bob]) {
      for (const id of [onFeed, onComment]) {
        const hidden = await who.raw('DELETE', `/reactions/${id}`)
        const missing = await who.raw('DELETE', '/reactions/987654321')
        expect([hidden.status, hidden.body.code, hidden.text]).toEqual([404, 'reaction_not_found', missing.text])
      }
    }
    expect((await feedOf(feed_id)).reactions_count).toBe(1)
  })
})

describe('access', () => {
  it('viewers who are not members of the space can read but not react', async () => {
    const { feed_id, comment_id } = await thread(space.id)
    await cleo.api.reactions.ofFeed({ feed_id })
    await cleo.api.reactions.ofComment({ comment_id })
    await refused(cleo.api.reactions.toFeed({ feed_id, type: 'like' }), 403, 'rest_forbidden')
    await refused(cleo.api.reactions.toComment({ feed_id, comment_id, type: 'like' }), 403, 'rest_forbidden')
    await refused(world.anonymous.reactions.toFeed({ feed_id, type: 'like' }), 401, 'rest_forbidden')
    await refused(world.anonymous.reactions.ofFeed({ feed_id }), 401, 'rest_forbidden')
  })

  it.each(['private', 'secret'] as const)('a %s space hides them', async (privacy) => {
    const hidden = await makeSpace(world, { privacy, members: [ana, bob] })
    const { feed_id, comment_id } = await thread(hidden.id)
    const calls = (feed: number, comment: number) => [
      cleo.raw('POST', `/feeds/${feed}/react`, { type: 'like' }),
      cleo.raw('POST', `/feeds/${feed}/comments/${comment}/reactions`, { type: 'like' }),
      cleo.raw('GET', `/feeds/${feed}/reactions`),
      cleo.raw('GET', `/comments/${comment}/reactions`),
    ]
    const [there, missing] = [await Promise.all(calls(feed_id, comment_id)), await Promise.all(calls(987_654_321, 987_654_321))]
    for (const [i, answer] of there.entries()) {
      expect([answer.status, answer.body.code, answer.text]).toEqual([404, 'content_not_found', missing[i]?.text])
    }
    expect((await moderator.api.reactions.toFeed({ feed_id, type: 'like' })).data.action).toBe('added')
  })

  it('drafts and spaces with reactions switched off refuse them', async () => {
    const { data: draft } = await ana.api.feeds.create({ message: 'x', status: 'draft' })
    await refused(ana.api.reactions.toFeed({ feed_id: draft.id, type: 'like' }), 403, 'rest_forbidden')
    const quiet = await makeSpace(world, { settings: { allow_reactions: false }, members: [ana, bob] })
    const { feed_id, comment_id } = await thread(quiet.id)
    await refused(bob.api.reactions.toFeed({ feed_id, type: 'like' }), 403, 'rest_forbidden')
    await refused(bob.api.reactions.toComment({ feed_id, comment_id, type: 'like' }), 403, 'rest_forbidden')
  })
})

describe('erasing an account', () => {
  it('removes reactions to a feed before those to its comments, on both databases', async () => {
    const leaver = await world.member()
    const { feed_id, comment_id } = await thread()
    await leaver.api.reactions.toComment({ feed_id, comment_id, type: 'like' })
    await leaver.api.reactions.toFeed({ feed_id, type: 'love' })
    await world.app.write(null, (ctx) => eraseReactions(ctx, leaver.id, 10))
    const { read } = world.app.services.database
    const rows = await read.selectFrom('events').select('payload').where('name', '=', 'reaction.removed').orderBy('id').execute()
    const removals = rows
      .map(({ payload }) => JSON.parse(payload) as { user_id: number; comment_id?: number })
      .filter(({ user_id }) => user_id === leaver.id)
    expect(removals.map((payload) => payload.comment_id)).toEqual([undefined, comment_id])
  })
})
