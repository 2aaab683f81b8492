import { MAX_LISTED_ACTIVITIES } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaveSpace, makeSpace } from '#test/fixtures.ts'
import { createWorld, type RawAnswer, refused, type World } from '#test/world.ts'
import { insertRows } from '../../server/src/db/index.ts'
import {
  type Content,
  expectMissing,
  expectNoEffect,
  hiddenContent,
  makeStage,
  NO_ID,
  openContent,
  type Stage,
  SURVEY,
  scopedManager,
} from './stage.ts'

let world: World
let stage: Stage
let hidden: Content[]

beforeAll(async () => {
  world = await createWorld()
  stage = await makeStage(world)
  hidden = await hiddenContent(stage)
  await world.runPendingJobs()
})
afterAll(() => world.close())

type Ids = Pick<Content, 'feed_id' | 'slug' | 'comment_id' | 'reaction_id'>
const NOTHING: Ids = { feed_id: NO_ID, slug: 'no-such-feed', comment_id: NO_ID, reaction_id: NO_ID }

const expectAsMissing = async (calls: Readonly<Record<string, (ids: Ids) => Promise<RawAnswer>>>) => {
  for (const [name, call] of Object.entries(calls)) {
    const missing = await call(NOTHING)
    for (const content of hidden) expectMissing(await call(content), missing, `${name}: ${content.kind}`)
  }
}

const ask = (method: string, path: string, body?: object) => stage.attacker.raw(method, path, body)

test('vuln-01: comments of a hidden feed cannot be read, in lists or alone', async () => {
  await expectAsMissing({
    list: ({ feed_id }) => ask('GET', `/feeds/${feed_id}/comments`),
    replies: ({ feed_id, comment_id }) => ask('GET', `/feeds/${feed_id}/comments?parent_id=${comment_id}&order=desc`),
    one: ({ comment_id }) => ask('GET', `/comments/${comment_id}`),
    'the feed': ({ feed_id }) => ask('GET', `/feeds/${feed_id}/by-id`),
    'its slug': ({ slug }) => ask('GET', `/feeds/${slug}/by-slug`),
  })
  const answer = await ask('GET', `/profile/${stage.victim.username}/comments?per_page=100`)
  const hiddenIds = new Set(hidden.map(({ comment_id }) => comment_id))
  const told = (answer.body.comments.data as { id: number }[]).map(({ id }) => id)
  expect([told.length, told.filter((id) => hiddenIds.has(id))]).toEqual([answer.body.comments.total, []])
})

test('vuln-02: nothing can be written to a hidden feed', async () => {
  await expectNoEffect(world, () =>
    expectAsMissing({
      comment: ({ feed_id }) => ask('POST', `/feeds/${feed_id}/comments`, { comment: 'x' }),
      reply: ({ feed_id, comment_id }) => ask('POST', `/feeds/${feed_id}/comments`, { comment: 'x', parent_id: comment_id }),
      react: ({ feed_id }) => ask('POST', `/feeds/${feed_id}/react`, { type: 'like' }),
      bookmark: ({ feed_id }) => ask('POST', `/feeds/${feed_id}/react`, { react_type: 'bookmark' }),
      'forget a bookmark': ({ feed_id }) => ask('POST', `/feeds/${feed_id}/react`, { react_type: 'bookmark', remove: true }),
      'react to a comment': ({ feed_id, comment_id }) => ask('POST', `/feeds/${feed_id}/comments/${comment_id}/reactions`, { type: 'wow' }),
      vote: ({ feed_id }) => ask('POST', `/feeds/${feed_id}/apps/survey-vote`, { option_slug: 'a' }),
      change: ({ feed_id }) => ask('POST', `/feeds/${feed_id}`, { message: 'x' }),
      'change a comment': ({ feed_id, comment_id }) => ask('POST', `/feeds/${feed_id}/comments/${comment_id}`, { comment: 'x' }),
      delete: ({ feed_id }) => ask('DELETE', `/feeds/${feed_id}`),
      'delete a comment': ({ feed_id, comment_id }) => ask('DELETE', `/feeds/${feed_id}/comments/${comment_id}`),
    }),
  )
})

test('vuln-03: a child is never reached through another parent', async () => {
  const mine = (await stage.attacker.api.feeds.create({ message: 'Mine', space_id: stage.open.id })).data.id
  const { comment_id, feed_id } = await openContent(stage)
  const own = await makeSpace(world, { admins: [stage.attacker] })
  const answers = (comment: number, user: number): Promise<readonly RawAnswer[]> =>
    Promise.all([
      ask('DELETE', `/feeds/${mine}/comments/${comment}`),
      ask('POST', `/feeds/${mine}/comments/${comment}`, { comment: 'Hijacked' }),
      ask('POST', `/feeds/${mine}/comments/${comment}/reactions`, { type: 'like' }),
      ask('POST', `/feeds/${mine}/comments`, { comment: 'x', parent_id: comment }),
      ask('PUT', `/spaces/${own.slug}/members/${user}`, { role: 'moderator' }),
      ask('DELETE', `/spaces/${own.slug}/members/${user}`),
      ask('POST', `/spaces/${own.slug}/members/${user}/ban`),
    ])
  await expectNoEffect(world, async () => {
    const missing = await answers(NO_ID, NO_ID)
    for (const comment of [comment_id, ...hidden.map((content) => content.comment_id)]) {
      const found = await answers(comment, stage.victim.id)
      found.forEach((answer, i) => {
        expectMissing(answer, missing[i] as RawAnswer, `call ${i}, comment ${comment}`)
      })
    }
    await refused(stage.attacker.api.comments.remove({ feed_id, comment_id }), 403, 'rest_forbidden')
  })
})

describe('vuln-08: staff of one space', () => {
  test('has no access to other spaces, nor outside of spaces', async () => {
    const everything = [
      'manage_feeds',
      'manage_comments',
      'pin_feeds',
      'feature_content',
      'manage_spaces',
      'manage_space_members',
      'moderate_spaces',
      'resolve_reports',
    ] as const
    const who = await scopedManager(world, everything, [stage.open])
    const { closed, secret } = stage
    const away = hidden.filter(({ kind }) =>
      ['in a private space', 'in a secret space', 'private outside of spaces', 'spam'].includes(kind),
    )
    const calls = ({ feed_id, comment_id, slug }: Ids): Promise<readonly RawAnswer[]> =>
      Promise.all([
        who.raw('GET', `/feeds/${slug}/by-slug`),
        who.raw('GET', `/feeds/${feed_id}/comments`),
        who.raw('POST', `/feeds/${feed_id}`, { status: 'published' }),
        who.raw('POST', `/feeds/${feed_id}`, { is_sticky: true }),
        who.raw('POST', `/feeds/${feed_id}`, { space_id: stage.open.id }),
        who.raw('DELETE', `/feeds/${feed_id}`),
        who.raw('POST', `/feeds/${feed_id}/comments/${comment_id}`, { status: 'spam' }),
        who.raw('DELETE', `/feeds/${feed_id}/comments/${comment_id}`),
      ])
    await expectNoEffect(world, async () => {
      const missing = await calls(NOTHING)
      for (const content of away) {
        const found = await calls(content)
        found.forEach((answer, i) => {
          expectMissing(answer, missing[i] as RawAnswer, `call ${i}: ${content.kind}`)
        })
      }
      for (const [method, path, body] of [
        ['PUT', `/spaces/${closed.slug}/by-slug`, { title: 'Mine' }],
        ['PUT', `/spaces/${closed.id}/by-id`, { privacy: 'public' }],
        ['DELETE', `/spaces/${closed.slug}`],
        ['GET', `/spaces/${closed.slug}/members`],
        ['POST', `/spaces/${closed.slug}/members`, { user_id: who.id, role: 'admin' }],
        ['GET', `/spaces/users/search?q=a&space_id=${closed.id}`],
        ['GET', '/spaces/users/search?q=a'],
        ['POST', '/spaces', { title: 'Another' }],
      ] as const) {
        const { status, body: answer } = await who.raw(method, path, body)
        expect([status, answer.code], `${method} ${path}`).toEqual([403, 'rest_forbidden'])
      }
      expect((await who.raw('PUT', `/spaces/${secret.slug}/by-slug`, { title: 'Mine' })).status).toBe(404)
      expect((await who.raw('POST', `/spaces/${secret.slug}/members`, { user_id: who.id })).status).toBe(404)
    })
  })

  test('finds only objects of that space in lists', async () => {
    const who = await scopedManager(world, ['manage_feeds', 'resolve_reports'], [stage.open])
    for (const status of ['pending', 'spam', 'scheduled', 'draft'] as const) {
      expect((await who.api.feeds.list({ status })).feeds.total).toBe(0)
    }
    const held = hidden.find(({ kind }) => kind === 'held')?.feed_id
    const { feeds } = await who.api.feeds.list({ status: 'pending', space: stage.open.slug })
    expect([feeds.data.map(({ id }) => id), feeds.total]).toEqual([[held], 1])
  })

  test('is no staff once the record is inactive', async () => {
    const who = await scopedManager(world, ['manage_feeds', 'moderate_spaces'], [stage.closed])
    const { feed_id } = hidden[0] as Content
    await who.api.feeds.byId({ feed_id })
    await world.app.write(null, ({ db }) => db.updateTable('managers').set({ status: 'inactive' }).where('user_id', '=', who.id).execute())
    await refused(who.api.feeds.byId({ feed_id }), 404, 'feed_not_found')
    await refused(who.api.feeds.update({ feed_id, is_sticky: true }), 404, 'feed_not_found')
  })
})

test('vuln-09: dependent objects of a hidden feed are hidden as well', async () => {
  await expectNoEffect(world, () =>
    expectAsMissing({
      reactions: ({ feed_id }) => ask('GET', `/feeds/${feed_id}/reactions`),
      'reactions of one type': ({ feed_id }) => ask('GET', `/feeds/${feed_id}/reactions?type=like`),
      'reactions to a comment': ({ comment_id }) => ask('GET', `/comments/${comment_id}/reactions`),
      voters: ({ feed_id }) => ask('GET', `/feeds/${feed_id}/apps/survey-voters/a`),
      'voters of no option': ({ feed_id }) => ask('GET', `/feeds/${feed_id}/apps/survey-voters/none`),
      'delete a reaction': ({ reaction_id }) => ask('DELETE', `/reactions/${reaction_id}`),
    }),
  )
  const { reaction_id } = await openContent(stage)
  await refused(stage.attacker.api.reactions.remove({ reaction_id }), 403, 'rest_forbidden')
})

describe('vuln-12: a reference is not resolved', () => {
  test('in a message, a comment or the meta of a feed', async () => {
    for (const { slug, feed_id, kind } of hidden) {
      const address = `${world.origin}/feeds/${slug}`
      const message = `See ${address}, #${feed_id}, [[${slug}]] and /feeds/${slug}`
      const { data } = await stage.attacker.api.feeds.create({ message, content_type: 'markdown', meta: { parent_id: feed_id } })
      const seen = (await stage.attacker.api.feeds.byId({ feed_id: data.id })).data
      expect(seen.parent_id).toBe(0)
      expect(JSON.stringify(seen).includes(`About ${kind}`), kind).toBe(false)
      const { data: comment } = await stage.attacker.api.comments.create({ feed_id: data.id, comment: message })
      expect((await ask('GET', `/comments/${comment.id}`)).text).not.toContain(`About ${kind}`)
      expect((await ask('POST', '/feeds/markdown-preview', { content: message })).text).not.toContain(`About ${kind}`)
    }
  })

  test('as a parent, without revealing whether it exists', async () => {
    const mine = (await stage.attacker.api.feeds.create({ message: 'Mine' })).data.id
    const reply = (parent_id: number) => ask('POST', `/feeds/${mine}/comments`, { comment: 'x', parent_id })
    const missing = await reply(NO_ID)
    expect(missing.body.code).toBe('parent_not_found')
    for (const { comment_id, kind } of hidden) expectMissing(await reply(comment_id), missing, kind)
    for (const { feed_id } of hidden) {
      const { data } = await stage.attacker.api.feeds.create({ message: 'x', ...({ parent_id: feed_id } as object) })
      expect((await stage.attacker.api.feeds.byId({ feed_id: data.id })).data.parent_id).toBe(0)
    }
  })
})

test('vuln-13: a former member finds nothing of the space in any channel', async () => {
  for (const privacy of ['private', 'secret'] as const) {
    const leaver = await world.member()
    const space = await makeSpace(world, { privacy, members: [leaver, stage.victim] })
    const word = `vanished${privacy}`
    const { data: theirs } = await stage.victim.api.feeds.create({ message: word, title: word, space_id: space.id })
    const { data: own } = await leaver.api.feeds.create({ message: `${word} too`, space_id: space.id })
    for (const feed_id of [theirs.id, own.id]) {
      await leaver.api.reactions.toFeed({ feed_id, react_type: 'bookmark' })
      await leaver.api.reactions.toFeed({ feed_id, type: 'love' })
      await leaver.api.comments.create({ feed_id, comment: word })
    }
    await world.runPendingJobs()
    const channels = async () => [
      await leaver.raw('GET', '/feeds?per_page=100'),
      await leaver.raw('GET', `/feeds?user_id=${leaver.id}`),
      await leaver.raw('GET', `/feeds?search=${word}`),
      await leaver.raw('GET', '/feeds/bookmarks'),
      await leaver.raw('GET', '/feeds/bookmarks?order_by_type=popular'),
      await leaver.raw('GET', '/feeds/ticker'),
      await leaver.raw('GET', `/profile/${stage.victim.username}`),
    ]
    const count = async () => (await channels()).map(({ text }) => text.split(word).length - 1)
    expect((await count()).slice(0, 6).every((n) => n > 0)).toBe(true)

    await leaveSpace(world, space, leaver)
    expect(await count()).toEqual([0, 0, 0, 0, 0, 0, 0])
    const [all, byUser, search, bookmarks] = (await channels()).map(({ body }) => body)
    expect([byUser.feeds.total, search.feeds.total, bookmarks.meta.total]).toEqual([0, 0, 0])
    expect(all.feeds.total).toBe(all.feeds.data.length)
    await refused(leaver.api.feeds.byId({ feed_id: own.id }), 404, 'feed_not_found')
    await refused(leaver.api.feeds.remove({ feed_id: own.id }), 404, 'feed_not_found')
    expect((await leaver.api.profiles.get({ username: 'me' })).profile.stats).toMatchObject({ posts_count: 0, comments_count: 0 })
  }
})

describe('vuln-21: hidden objects cannot be discovered', () => {
  test('by search: neither rows nor totals change', async () => {
    const word = 'quixotry'
    const figures = async () => {
      const answers = await Promise.all(
        ['quixotry', 'quixo', 'QUIXOTRY', 'about quixotry'].map((search) => ask('GET', `/feeds?search=${encodeURIComponent(search)}`)),
      )
      return answers.map(({ body }) => [body.feeds.total, body.feeds.data.length, body.feeds.has_more, body.sticky])
    }
    const before = await figures()
    expect(before).toEqual(Array(4).fill([0, 0, false, null]))
    for (const { feed_id } of hidden) await stage.victim.api.feeds.update({ feed_id, title: word, message: `about ${word}` })
    expect((await stage.admin.api.feeds.list({ search: word })).feeds.total).toBe(3)
    expect(await figures()).toEqual(before)
  })

  test('by sorting, filtering or a forged cursor', async () => {
    const known = new Set<number>()
    for (let page = 1; ; page++) {
      const { feeds } = await stage.attacker.api.feeds.list({ page, per_page: 100 })
      for (const { id } of feeds.data) known.add(id)
      if (!feeds.has_more) break
    }
    const cursor = (values: readonly unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
    const lists = [
      ...['oldest', 'new_activity', 'likes', 'popular', 'alphabetical', 'unanswered'].map((order) => `order_by_type=${order}`),
      ...['draft', 'scheduled', 'pending', 'spam'].flatMap((status) => [`status=${status}`, `status=${status}&user_id=${stage.victim.id}`]),
      ...['feed', 'announcement', 'question'].map((type) => `type=${type}`),
      `space=${stage.closed.slug}`,
      `user_id=${stage.victim.id}`,
      'disable_sticky=yes',
      'topic_slug=x',
      `cursor=${cursor(['newest', '9999-12-31 23:59:59', 1])}`,
      `order_by_type=alphabetical&cursor=${cursor(['alphabetical', '', '', 0])}`,
      `order_by_type=likes&cursor=${cursor(['likes', 1_000_000, 1])}`,
    ]
    for (const query of lists) {
      const answer = await ask('GET', `/feeds?per_page=100&${query}`)
      expect(answer.status, query).toBe(200)
      const { data, total } = answer.body.feeds
      expect(data.filter(({ id }: { id: number }) => !known.has(id)).length, query).toBe(0)
      if (!query.includes('cursor')) expect([query, total]).toEqual([query, data.length])
    }
  })

  test('by searching for email addresses', async () => {
    const { email, username } = stage.victim
    const manager = await scopedManager(world, ['manage_space_members', 'manage_spaces'])
    const inSpace = await makeSpace(world, { admins: [stage.attacker], members: [stage.victim] })
    const found = [
      ...(await manager.api.spaceMembers.searchUsers({ q: email })).data,
      ...(await manager.api.spaceMembers.searchUsers({ q: '@example' })).data,
      ...(await stage.attacker.api.spaceMembers.list({ space_slug: inSpace.slug, search: email })).data,
      ...(await stage.attacker.api.spaceMembers.list({ space_slug: inSpace.slug, search: 'example.org' })).data,
    ]
    expect(found).toEqual([])
    const byName = await manager.api.spaceMembers.searchUsers({ q: username })
    expect(byName.data.length).toBeGreaterThan(0)
    expect(byName.data.every((user) => user.email === '')).toBe(true)
    expect((await stage.admin.api.spaceMembers.searchUsers({ q: email })).data.map((user) => user.email)).toEqual([email])
  })
})

test('hidden activities do not slow the ticker down: it reads only recent ones', async () => {
  const own = await createWorld()
  const [victim, attacker] = [await own.member(), await own.member()]
  const space = await makeSpace(own, { privacy: 'secret', members: [victim] })
  await victim.api.feeds.create({ message: 'Seen by all' })
  await own.runPendingJobs()
  own.clock.advance(1)
  const columns = ['user_id', 'action_type', 'object_id', 'object_type', 'space_id', 'created_at']
  const add = (count: number, at: string) =>
    own.app.services.database.write((db) => {
      const row = [victim.id, 'space_created', space.id, 'space', space.id, at]
      return insertRows(db, 'activities', columns, Array(count).fill(row))
    })
  const seen = async () => (await attacker.api.activities.ticker()).activities.length
  await add(MAX_LISTED_ACTIVITIES - 1, '2026-03-10 12:00:01')
  expect(await seen()).toBe(1)
  await add(2, '2026-03-10 12:00:02')
  expect(await seen()).toBe(0)
  expect((await victim.api.activities.ticker()).activities.length).toBe(20)
  await own.close()
})

describe('the members of a space', () => {
  test('are not shown by the ticker if the space hides them', async () => {
    const manager = await scopedManager(world, ['manage_space_members'])
    const tells = async (who: typeof stage.attacker, name: string) => (await who.raw('GET', '/feeds/ticker')).text.includes(name)
    for (const [members_page_status, outsider, member] of [
      [undefined, false, true],
      ['members_only', false, true],
      ['admin_only', false, false],
      ['logged_in', true, true],
      ['everybody', true, true],
    ] as const) {
      const settings = members_page_status && { members_page_status }
      const space = await makeSpace(world, { members: [stage.victim], admins: [stage.moderator], ...(settings && { settings }) })
      const joiner = await world.member({ displayName: `Joiner of ${space.slug} space` })
      await joiner.api.spaceMembers.join({ space_slug: space.slug })
      await world.runPendingJobs()
      const name = `Joiner of ${space.slug} space`
      const seen = [outsider, member, true, true, true, true]
      const asked = [stage.attacker, stage.victim, stage.moderator, stage.admin, manager, joiner]
      expect([members_page_status, await Promise.all(asked.map((who) => tells(who, name)))]).toEqual([members_page_status, seen])
      expect((await stage.attacker.raw('GET', `/spaces/${space.slug}/members`)).status).toBe(outsider ? 200 : 403)
    }
  })
})

test('vuln-10: hidden survey results are shown nowhere', async () => {
  const VOTER = 'Nightingale Voter'
  const voter = await world.member({ displayName: VOTER })
  for (const show_results of ['never', 'after_vote'] as const) {
    const meta = { survey: { ...SURVEY, show_results } }
    const { data } = await stage.victim.api.feeds.create({ message: `Poll ${show_results}`, meta, space_id: null })
    const feed_id = data.id
    await voter.api.surveys.vote({ feed_id, option_slug: 'b' })
    await stage.attacker.api.reactions.toFeed({ feed_id, react_type: 'bookmark' })
    const looks = async () => [
      await ask('GET', `/feeds/${feed_id}/by-id`),
      await ask('GET', `/feeds/${data.slug}/by-slug`),
      await ask('GET', `/feeds?search=${encodeURIComponent(`Poll ${show_results}`)}`),
      await ask('GET', '/feeds?per_page=100'),
      await ask('GET', '/feeds/bookmarks'),
      await ask('GET', '/feeds/ticker'),
      await ask('GET', `/feeds/${feed_id}/comments`),
    ]
    const hiddenIn = (answers: readonly RawAnswer[]) => {
      const surveys = JSON.stringify(answers.map(({ body }) => body)).match(/"survey":\{.*?"is_closed":(?:true|false)\}/g) ?? []
      const these = surveys.filter((survey) => survey.includes(`"show_results":"${show_results}"`))
      return [these.length, these.filter((survey) => /"(?:votes|percentage|total_votes)":\d/.test(survey)).length]
    }
    const before = await looks()
    expect(hiddenIn(before)).toEqual([5, 0])
    expect(before.filter(({ text }) => text.includes(VOTER)).length).toBe(0)
    for (const option_slug of ['a', 'b']) await refused(stage.attacker.api.surveys.voters({ feed_id, option_slug }), 403, 'rest_forbidden')

    // A feed cached for readers who may see the results must not be served to others.
    const seen = await stage.victim.raw('GET', `/feeds/${feed_id}/by-id`)
    expect(seen.body.data.meta.survey.total_votes).toBe(1)
    expect(hiddenIn(await looks())).toEqual([5, 0])

    const vote = await stage.attacker.api.surveys.vote({ feed_id, option_slug: 'a' })
    const shown = show_results === 'after_vote'
    expect(vote.results.total_votes).toBe(shown ? 2 : null)
    expect(hiddenIn(await looks())).toEqual([5, shown ? 5 : 0])
  }
  const { data } = await stage.victim.api.feeds.create({ message: 'x', meta: { survey: { ...SURVEY, total_votes: 99, voted: ['a'] } } })
  const { meta } = (await stage.attacker.api.feeds.byId({ feed_id: data.id })).data
  expect(meta['survey']).toMatchObject({ total_votes: 0, voted: [] })
})
