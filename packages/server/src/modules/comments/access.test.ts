import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsWith, grant, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type RawAnswer, refused, type World } from '#test/world.ts'

const ROLES = ['outsider', 'member', 'author', 'spaceModerator', 'spaceAdmin', 'moderator', 'elsewhere', 'admin'] as const
type Role = (typeof ROLES)[number]

let world: World
let people: Record<Role, Member>

beforeAll(async () => {
  world = await createWorld()
  people = {
    outsider: await world.member(),
    member: await world.member(),
    author: await world.member(),
    spaceModerator: await world.member(),
    spaceAdmin: await world.member(),
    moderator: await world.member({ role: 'moderator' }),
    elsewhere: await world.member({ role: 'moderator' }),
    admin: await world.member({ role: 'admin' }),
  }
  await grant(world, people.elsewhere, ['manage_comments', 'resolve_reports', 'manage_feeds'], [await makeSpace(world)])
})
afterAll(() => world.close())

const inSpace = (privacy: 'public' | 'private' | 'secret'): Promise<Space> => {
  const { member, author, spaceModerator, spaceAdmin } = people
  return makeSpace(world, { privacy, members: [member, author], moderators: [spaceModerator], admins: [spaceAdmin] })
}

/** Creates a feed of the member with a comment of the author, in a space with that privacy. */
const arrange = async (privacy: 'public' | 'private' | 'secret') => {
  const space = await inSpace(privacy)
  const { data: feed } = await people.member.api.feeds.create({ message: 'A feed', space_id: space.id })
  const { data: comment } = await people.author.api.comments.create({ feed_id: feed.id, comment: 'A comment' })
  return { space, feed_id: feed.id, comment_id: comment.id }
}

const ACTIONS = {
  list: { method: 'GET', path: '/feeds/FEED/comments', missing: 'feed_not_found' },
  read: { method: 'GET', path: '/comments/COMMENT', missing: 'comment_not_found' },
  create: { method: 'POST', path: '/feeds/FEED/comments', body: { comment: 'x' }, missing: 'feed_not_found' },
  update: {
    method: 'POST',
    path: '/feeds/FEED/comments/COMMENT',
    body: { comment: 'x', reason: 'House rules' },
    missing: 'comment_not_found',
  },
  hold: { method: 'POST', path: '/feeds/FEED/comments/COMMENT', body: { status: 'spam' }, missing: 'comment_not_found' },
  pin: { method: 'POST', path: '/feeds/FEED/comments/COMMENT', body: { is_sticky: true }, missing: 'comment_not_found' },
  remove: { method: 'DELETE', path: '/feeds/FEED/comments/COMMENT', missing: 'comment_not_found' },
} as const
type Action = keyof typeof ACTIONS

const ask = (who: Member, action: Action, feedId: number, commentId: number): Promise<RawAnswer> => {
  const { method, path, ...rest } = ACTIONS[action]
  const body = 'body' in rest ? rest.body : undefined
  return who.raw(method, path.replace('FEED', String(feedId)).replace('COMMENT', String(commentId)), body)
}

const READS: readonly Action[] = ['list', 'read']
const ALL = Object.keys(ACTIONS) as Action[]
const MODERATORS = new Set<Role>(['spaceModerator', 'spaceAdmin', 'moderator', 'admin'])

/** What each role may do with a comment it can see. */
const allowed = (role: Role, action: Action): boolean => {
  if (READS.includes(action) || MODERATORS.has(role)) return true
  if (role === 'author') return action === 'create' || action === 'update' || action === 'remove'
  return role === 'member' && action === 'create'
}
const sees = (role: Role, privacy: string) => privacy === 'public' || (role !== 'outsider' && role !== 'elsewhere')

describe.each(['public', 'private', 'secret'] as const)('in a %s space', (privacy) => {
  it.each(ROLES)('%s', async (role) => {
    const who = people[role]
    for (const action of ALL) {
      const { feed_id, comment_id } = await arrange(privacy)
      const answer = await ask(who, action, feed_id, comment_id)
      const done = action === 'create' ? 201 : 200
      const expected = sees(role, privacy) ? (allowed(role, action) ? done : 403) : 404
      expect({ action, status: answer.status }).toEqual({ action, status: expected })
      if (answer.status === 403) expect(answer.body.code).toBe('rest_forbidden')
      if (answer.status !== 404) continue
      const missing = await ask(who, action, 987_654_321, 987_654_321)
      expect(answer.body.code).toBe(ACTIONS[action].missing)
      expect({ status: answer.status, text: answer.text }).toEqual({ status: missing.status, text: missing.text })
    }
  })
})

it('requires authentication', async () => {
  const { feed_id, comment_id } = await arrange('public')
  await refused(world.anonymous.comments.list({ feed_id }), 401, 'rest_forbidden')
  await refused(world.anonymous.comments.byId({ comment_id }), 401, 'rest_forbidden')
  await refused(world.anonymous.comments.create({ feed_id, comment: 'x' }), 401, 'rest_forbidden')
  await refused(world.anonymous.comments.update({ feed_id, comment_id, comment: 'x' }), 401, 'rest_forbidden')
  await refused(world.anonymous.comments.remove({ feed_id, comment_id }), 401, 'rest_forbidden')
})

it('nobody can comment in an archived space', async () => {
  const space = await makeSpace(world, { status: 'archived', members: [people.member] })
  const feed_id = await world.app.write(null, async ({ db, now }) => {
    const feed = { user_id: people.member.id, space_id: space.id, slug: 'old', message: 'x', message_rendered: 'x', listed: 1 as const }
    const dates = { created_at: now, updated_at: now, published_at: now, active_at: now, expired_at: null, scheduled_at: null }
    const row = { ...feed, ...dates, parent_id: null, featured_image: null }
    return (await db.insertInto('feeds').values(row).returning('id').executeTakeFirstOrThrow()).id
  })
  await refused(people.member.api.comments.create({ feed_id, comment: 'x' }), 403, 'rest_forbidden')
})

it('a former member of a private space cannot find their own comments there', async () => {
  const { space, feed_id, comment_id } = await arrange('private')
  await leaveSpace(world, space, people.author)
  await refused(people.author.api.comments.byId({ comment_id }), 404, 'comment_not_found')
  await refused(people.author.api.comments.update({ feed_id, comment_id, comment: 'x' }), 404, 'comment_not_found')
  await refused(people.author.api.comments.remove({ feed_id, comment_id }), 404, 'comment_not_found')
})

it('a banned member of a public space can delete their comments but not edit them', async () => {
  const { space, feed_id, comment_id } = await arrange('public')
  await people.spaceAdmin.api.spaceMembers.ban({ space_slug: space.slug, user_id: people.author.id })
  await refused(people.author.api.comments.update({ feed_id, comment_id, comment: 'Spite' }), 403, 'rest_forbidden')
  expect((await people.author.api.comments.byId({ comment_id })).data.message).toBe('A comment')
  await people.author.api.comments.remove({ feed_id, comment_id })
  await refused(people.member.api.comments.byId({ comment_id }), 404, 'comment_not_found')
})

it('comments of a private feed outside of spaces are visible to its author and moderators', async () => {
  const { data: feed } = await people.author.api.feeds.create({ message: 'x', privacy: 'private' })
  const { data: comment } = await people.moderator.api.comments.create({ feed_id: feed.id, comment: 'x' })
  await people.author.api.comments.list({ feed_id: feed.id })
  await refused(people.outsider.api.comments.list({ feed_id: feed.id }), 404, 'feed_not_found')
  await refused(people.outsider.api.comments.byId({ comment_id: comment.id }), 404, 'comment_not_found')
})

describe('the path', () => {
  it('must name the feed of the comment', async () => {
    const { feed_id, comment_id } = await arrange('public')
    const { data: mine } = await people.author.api.feeds.create({ message: 'Mine' })
    for (const who of [people.author, people.moderator, people.admin]) {
      for (const action of ['update', 'hold', 'pin', 'remove'] as const) {
        const tampered = await ask(who, action, mine.id, comment_id)
        expect(tampered).toMatchObject({ status: 404, body: { code: 'comment_not_found' } })
        expect(tampered.text).toBe((await ask(who, action, mine.id, 987_654_321)).text)
      }
    }
    expect((await people.author.api.comments.byId({ comment_id })).data).toMatchObject({ message: 'A comment', is_sticky: false })
    expect((await people.author.api.feeds.byId({ feed_id })).data.comments_count).toBe(1)
  })

  it('accepts positive integers only', async () => {
    const { feed_id } = await arrange('public')
    for (const id of ['0', '-1', '1e3', 'x', '99999999999999999999', '1.5', '%00']) {
      for (const path of [`/comments/${id}`, `/feeds/${id}/comments`]) {
        const { status, body } = await people.member.raw('GET', path)
        expect({ path, status, code: body.code }).toEqual({ path, status: 400, code: 'invalid_parameter' })
      }
      expect((await people.member.raw('DELETE', `/feeds/${feed_id}/comments/${id}`)).status).toBe(400)
    }
  })

  it('gives the same error for an invalid body, whether the comment is hidden or missing', async () => {
    const { feed_id, comment_id } = await arrange('secret')
    for (const body of [{}, { comment: '' }, { comment: 'x'.repeat(10_001) }, { status: 'published' }, { is_sticky: true }]) {
      const hidden = await people.outsider.raw('POST', `/feeds/${feed_id}/comments/${comment_id}`, body)
      const missing = await people.outsider.raw('POST', '/feeds/987654321/comments/987654321', body)
      expect([hidden.status, hidden.text]).toEqual([missing.status, missing.text])
    }
  })
})

describe('pending and spam comments', () => {
  it.each(['pending', 'spam'] as const)('%s: visible to their author and to moderators', async (status) => {
    const { feed_id, comment_id } = await arrange('public')
    await people.member.api.comments.create({ feed_id, comment: 'Another' })
    await people.moderator.api.comments.update({ feed_id, comment_id, status })
    for (const role of ROLES) {
      const who = people[role]
      const seen = role === 'author' || MODERATORS.has(role)
      const { comments, pagination } = await who.api.comments.list({ feed_id })
      expect([role, comments.length, pagination.total]).toEqual([role, seen ? 2 : 1, seen ? 2 : 1])
      const top = await who.api.comments.list({ feed_id, parent_id: 0 })
      expect([role, top.comments.length, top.pagination.total]).toEqual([role, seen ? 2 : 1, seen ? 2 : 1])
      const one = await ask(who, 'read', feed_id, comment_id)
      expect([role, one.status]).toEqual([role, seen ? 200 : 404])
      if (!seen) expect(one.text).toBe((await ask(who, 'read', 1, 987_654_321)).text)
      const { data: feed } = await who.api.feeds.byId({ feed_id })
      expect([feed.comments_count, feed.comments.length]).toEqual([1, 1])
    }
  })

  it('are counted and announced once approved', async () => {
    const { feed_id, comment_id } = await arrange('public')
    await people.moderator.api.comments.update({ feed_id, comment_id, is_sticky: true })
    await people.moderator.api.comments.update({ feed_id, comment_id, status: 'pending' })
    expect((await people.author.api.comments.byId({ comment_id })).data).toMatchObject({ status: 'pending', is_sticky: false })
    await refused(people.moderator.api.comments.update({ feed_id, comment_id, is_sticky: true }), 400, 'invalid_data')
    await people.moderator.api.comments.update({ feed_id, comment_id, status: 'spam' })
    expect((await people.author.api.feeds.byId({ feed_id })).data.comments_count).toBe(0)
    await people.moderator.api.comments.update({ feed_id, comment_id, status: 'published' })
    expect((await people.author.api.feeds.byId({ feed_id })).data.comments_count).toBe(1)
    expect(await eventsWith(world, { comment_id })).toEqual(['comment.published', 'comment.updated', 'comment.published'])
  })

  it('cannot be published by their author', async () => {
    const { feed_id, comment_id } = await arrange('public')
    const { api } = people.author
    await api.comments.update({ feed_id, comment_id, comment: 'Same status', status: 'published' })
    await refused(api.comments.update({ feed_id, comment_id, status: 'spam' }), 403, 'rest_forbidden')
    await people.moderator.api.comments.update({ feed_id, comment_id, status: 'pending' })
    await refused(api.comments.update({ feed_id, comment_id, comment: 'Please', status: 'published' }), 403, 'rest_forbidden')
    await api.comments.update({ feed_id, comment_id, comment: 'Reworded' })
    expect((await api.comments.byId({ comment_id })).data).toMatchObject({ message: 'Reworded', status: 'pending' })
    expect((await api.feeds.byId({ feed_id })).data.comments_count).toBe(0)
  })

  it('can be decided by those who resolve reports, without changing the text', async () => {
    const resolver = await world.member({ role: 'moderator' })
    await grant(world, resolver, ['resolve_reports'])
    const { feed_id, comment_id } = await arrange('private')
    await refused(resolver.api.comments.update({ feed_id, comment_id, comment: 'Mine' }), 403, 'rest_forbidden')
    await refused(resolver.api.comments.update({ feed_id, comment_id, is_sticky: true }), 403, 'rest_forbidden')
    await refused(resolver.api.comments.remove({ feed_id, comment_id }), 403, 'rest_forbidden')
    await resolver.api.comments.update({ feed_id, comment_id, status: 'pending' })
    await resolver.api.comments.update({ feed_id, comment_id, status: 'published' })
  })
})

describe('pinning', () => {
  it('allows one top-level comment per feed', async () => {
    const { feed_id, comment_id } = await arrange('public')
    const { data: second } = await people.member.api.comments.create({ feed_id, comment: 'Second' })
    const { data: reply } = await people.member.api.comments.create({ feed_id, comment: 'Reply', parent_id: comment_id })
    const { api } = people.spaceModerator
    await refused(api.comments.update({ feed_id, comment_id: reply.id, is_sticky: true }), 400, 'invalid_data')
    await api.comments.update({ feed_id, comment_id, is_sticky: true })
    await api.comments.update({ feed_id, comment_id: second.id, is_sticky: 1 })
    const { comments } = await api.comments.list({ feed_id })
    expect(comments.map(({ id, is_sticky }) => [id, is_sticky])).toEqual([
      [second.id, true],
      [comment_id, false],
      [reply.id, false],
    ])
    await people.member.api.comments.update({ feed_id, comment_id: second.id, comment: 'Reworded', is_sticky: true })
    await refused(people.member.api.comments.update({ feed_id, comment_id: second.id, is_sticky: false }), 403, 'rest_forbidden')
    await api.comments.update({ feed_id, comment_id: second.id, is_sticky: false })
    expect((await api.comments.byId({ comment_id: second.id })).data.is_sticky).toBe(false)
  })
})
