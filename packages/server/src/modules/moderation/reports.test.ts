import { DEFAULT_PERMISSIONS, REPORT_REASONS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { expectInOrder, expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { listReports } from './queries.ts'

let world: World
let admin: Member
let moderator: Member
let author: Member
let ana: Member
let ben: Member
let space: Space
let secret: Space

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator' })
  author = await world.member({ username: 'author', displayName: 'Author' })
  ana = await world.member({ username: 'ana' })
  ben = await world.member({ username: 'ben' })
  space = await makeSpace(world, { members: [author, ana, ben] })
  secret = await makeSpace(world, { privacy: 'secret', members: [author, ana] })
})
afterAll(() => world.close())

const post = async (where: Space | null = space, message = 'Something') =>
  (await author.api.feeds.create({ title: 'A title', message, ...(where && { space_id: where.id }) })).data.id
const report = (who: Member, object_id: number, object_type: 'feed' | 'comment' | 'user' = 'feed', more = {}) =>
  who.api.moderation.report({ object_id, object_type, reason: 'spam', ...more })
const listed = async (who: Member, query = {}) => (await who.api.moderation.reports({ per_page: 100, ...query })).reports

test('a report is deleted with its object', async () => {
  const scoped = await world.member({ role: 'moderator' })
  await grant(world, scoped, ['view_reports', 'resolve_reports'], [space])
  const feed = await post()
  const { data: comment } = await author.api.comments.create({ feed_id: feed, comment: 'Something' })
  const ids = [(await report(ana, feed)).id, (await report(ana, comment.id, 'comment')).id]
  const mine = async () => (await listed(scoped)).map(({ id }) => id).filter((id) => ids.includes(id))
  expect(await mine()).toHaveLength(2)
  await author.api.feeds.update({ feed_id: feed, space_id: secret.id })
  expect(await mine()).toEqual([])
  for (const report_id of ids)
    await refused(scoped.api.moderation.update({ report_id, status: 'resolved', action_taken: 'content_removed' }), 404, 'not_found')
  const rows = (await listed(moderator)).filter(({ id }) => ids.includes(id))
  expect(rows.map(({ space_id }) => space_id)).toEqual([secret.id, secret.id])
})

describe('POST /moderation/report', () => {
  test('responds 201 with the report and without the content', async () => {
    const feed = await post()
    const { status, body } = await ana.raw('POST', '/moderation/report', {
      object_id: feed,
      object_type: 'feed',
      reason: 'harassment',
      description: '  Look at this ',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      reporter_id: ana.id,
      reported_user_id: author.id,
      object_id: feed,
      object_type: 'feed',
      reason: 'harassment',
      description: 'Look at this',
      status: 'pending',
      created_at: '2026-03-10 12:00:00',
      message: expect.any(String),
    })
  })

  test('accepts every reason, other only with a description', async () => {
    for (const reason of REPORT_REASONS)
      expect((await report(ana, await post(), 'feed', { reason, description: 'Because' })).reason).toBe(reason)
    const feed = await post()
    for (const description of [undefined, null, '', ' \n '])
      await refused(report(ana, feed, 'feed', { reason: 'other', description }), 400, 'invalid_data')
  })

  test.each([
    [{ reason: 'boredom' }, 'invalid_reason'],
    [{ reason: 7 }, 'invalid_reason'],
    [{ object_type: 'space' }, 'invalid_data'],
    [{ object_type: 'constructor' }, 'invalid_data'],
    [{ object_id: 'x' }, 'invalid_data'],
    [{ object_id: undefined }, 'missing_required_field'],
    [{ object_type: undefined }, 'missing_required_field'],
    [{ description: 'x'.repeat(2001) }, 'invalid_data'],
  ])('refuses %o', async (change, code) => {
    const body = { object_id: await post(), object_type: 'feed', reason: 'spam', ...change }
    expect(await ana.raw('POST', '/moderation/report', body)).toMatchObject({ status: 400, body: { code } })
  })

  test('responds the same for hidden and missing objects', async () => {
    const feed = await post(secret)
    const { data: comment } = await author.api.comments.create({ feed_id: feed, comment: 'Hidden' })
    const { data: draft } = await author.api.feeds.create({ message: 'x', status: 'draft' })
    const answers = []
    for (const [type, id] of [
      ['feed', feed],
      ['feed', draft.id],
      ['comment', comment.id],
      ['feed', 987654],
      ['comment', 987654],
      ['user', 987654],
    ] as const) {
      const { status, text } = await ben.raw('POST', '/moderation/report', { object_id: id, object_type: type, reason: 'spam' })
      answers.push({ status, text })
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 404 })
    expect(JSON.parse(answers[0]!.text).code).toBe('not_found')
    expect(await listed(admin, { status: 'pending' })).not.toContainEqual(expect.objectContaining({ reporter_id: ben.id, object_id: feed }))
  })

  test('viewers of a space who are not members can report', async () => {
    const outsider = await world.member()
    expect((await report(outsider, await post())).status).toBe('pending')
  })

  test('comments and people', async () => {
    const { data } = await author.api.comments.create({ feed_id: await post(), comment: 'A comment' })
    expect(await report(ana, data.id, 'comment')).toMatchObject({ object_type: 'comment', reported_user_id: author.id })
    expect(await report(ana, author.id, 'user')).toMatchObject({ object_type: 'user', reported_user_id: author.id, object_id: author.id })
  })

  test('nobody can report themselves', async () => {
    await refused(report(author, await post()), 400, 'invalid_data')
    await refused(report(author, author.id, 'user'), 400, 'invalid_data')
  })

  test('a second report about the same object updates the first and responds 200', async () => {
    const feed = await post()
    const { id } = await report(ana, feed)
    const body = { object_id: feed, object_type: 'feed', reason: 'violence', description: 'More' }
    expect(await ana.raw('POST', '/moderation/report', body)).toMatchObject({
      status: 200,
      body: { id, reason: 'violence', description: 'More' },
    })
    expect((await report(ana, feed, 'feed', { reason: 'spam' })).description).toBe('More')
    expect((await report(ben, feed)).id).not.toBe(id)
    await moderator.api.moderation.update({ report_id: id, status: 'dismissed' })
    const again = await report(ana, feed)
    expect(again.id).not.toBe(id)
    expect(again.status).toBe('pending')
  })

  test('twenty concurrent reports create one', async () => {
    const feed = await post()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ana.raw('POST', '/moderation/report', { object_id: feed, object_type: 'feed', reason: 'spam' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await listed(admin, { object_type: 'feed' }).then((all) => all.filter(({ object_id }) => object_id === feed).length)).toBe(1)
  })
})

describe('GET /moderation/reports', () => {
  test('returns reporter, reported member and content', async () => {
    const feed = await post(space, 'First **words**')
    const { id } = await report(ana, feed)
    const [found] = await listed(moderator)
    expect(found).toMatchObject({
      id,
      moderator_id: 0,
      moderator_note: '',
      action_taken: 'none',
      reporter: { user_id: ana.id, username: 'ana' },
      reported_user: { user_id: author.id, display_name: 'Author' },
      content: {
        id: feed,
        title: 'A title',
        excerpt: 'First words',
        status: 'published',
        url: expect.stringContaining(`/spaces/${space.slug}/feeds/`),
      },
    })
  })

  test('filters and paginates', async () => {
    const { id } = await report(ben, await post(), 'feed', { reason: 'misinformation' })
    await moderator.api.moderation.update({ report_id: id, status: 'reviewed' })
    const only = async (query: object) => (await listed(moderator, query)).map((one) => one.id)
    expect(await only({ status: 'reviewed', reason: 'misinformation', object_type: 'feed' })).toEqual([id])
    expect(await only({ status: 'reviewed', object_type: 'user' })).toEqual([])
    const all = await only({})
    expect(all).toEqual([...all].sort((a, b) => b - a))
    const { reports, pagination } = await moderator.api.moderation.reports({ per_page: 2, page: 2 })
    expect(reports.map((one) => one.id)).toEqual(all.slice(2, 4))
    expect(pagination).toMatchObject({ total: all.length, per_page: 2, current_page: 2 })
    expect((await moderator.api.moderation.reports()).pagination.per_page).toBe(20)
    await refused(moderator.api.moderation.reports({ status: 'nonsense' as 'pending' }), 400, 'invalid_parameter')
  })

  test('stays readable after the content is deleted', async () => {
    const feed = await post(space, 'Will be gone')
    const { id } = await report(ana, feed)
    await author.api.feeds.remove({ feed_id: feed })
    expect((await listed(moderator)).find((one) => one.id === id)?.content).toEqual({
      id: feed,
      title: 'A title',
      excerpt: 'Will be gone',
      url: '',
      status: 'removed',
    })
  })

  test('requires permission to see reports', async () => {
    const { id } = await report(ana, await post())
    for (const who of [ana, author]) {
      await refused(who.api.moderation.reports(), 403, 'rest_forbidden')
      await refused(who.api.moderation.update({ report_id: id, status: 'resolved' }), 403, 'rest_forbidden')
      await refused(who.api.moderation.remove({ report_id: id }), 403, 'rest_forbidden')
    }
    await refused(world.anonymous.moderation.reports(), 401, 'rest_forbidden')
    await refused(moderator.api.moderation.remove({ report_id: id }), 403, 'rest_forbidden')
    expect(await admin.api.moderation.remove({ report_id: id })).toEqual({ message: expect.any(String) })
    await refused(admin.api.moderation.remove({ report_id: id }), 404, 'not_found')
    await refused(admin.api.moderation.update({ report_id: id, status: 'resolved' }), 404, 'not_found')
  })
})

describe('scopes', () => {
  test('managers limited to spaces handle the reports there', async () => {
    const scoped = await world.member({ role: 'moderator' })
    await grant(world, scoped, DEFAULT_PERMISSIONS.moderator, [space])
    const here = (await report(ana, await post(space))).id
    const there = (await report(ana, await post(secret))).id
    const outside = (await report(ana, await post(null))).id
    const person = (await report(ben, author.id, 'user')).id
    const seen = (await listed(scoped)).map(({ id }) => id)
    expect(seen).toContain(here)
    for (const id of [there, outside, person]) {
      expect(seen).not.toContain(id)
      await refused(scoped.api.moderation.update({ report_id: id, status: 'resolved' }), 404, 'not_found')
    }
    expect((await scoped.api.moderation.reports()).pagination.total).toBe(seen.length)
    expect(await scoped.api.moderation.update({ report_id: here, status: 'resolved' })).toMatchObject({ id: here, moderator_id: scoped.id })
  })

  test('those who may see reports but not the content do not see its text', async () => {
    const viewer = await world.member({ role: 'manager' })
    await grant(world, viewer, ['view_reports'])
    const hidden = (await report(ana, await post(secret, 'Secret words'))).id
    const open = (await report(ana, await post(space, 'Open words'))).id
    const reports = await listed(viewer)
    expect(reports.find(({ id }) => id === hidden)?.content).toMatchObject({ title: '', excerpt: '', url: '' })
    expect(reports.find(({ id }) => id === open)?.content).toMatchObject({ excerpt: 'Open words' })
    await refused(viewer.api.moderation.update({ report_id: open, status: 'resolved' }), 403, 'rest_forbidden')
  })

  test('reports about a moderator are handled by others', async () => {
    const { id } = await report(ana, moderator.id, 'user')
    expect((await listed(moderator)).map((one) => one.id)).not.toContain(id)
    await refused(moderator.api.moderation.update({ report_id: id, status: 'dismissed' }), 404, 'not_found')
    expect((await listed(admin)).map((one) => one.id)).toContain(id)
  })
})

describe.runIf(process.env['LYCEUM_TEST_DATABASE'] !== 'postgres')('query plans', () => {
  const scopes = { all: () => '1 = 1', some: (p: (value: number) => string) => `r.space_id in (${p(1)}, ${p(2)})` }
  test.each([{}, { status: 'pending' }, { reason: 'spam' }, { object_type: 'feed' }] as const)('%o', async (filter) => {
    const db = world.app.services.database.read
    await expectInOrder(world, () => listReports(db, filter, scopes.all))
    await expectNoScan(world, () => listReports(db, filter, scopes.some as never))
  })
})
