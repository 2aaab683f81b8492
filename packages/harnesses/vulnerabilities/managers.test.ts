import { PERMISSIONS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant, makeSpace } from '#test/fixtures.ts'
import { register, signIn } from '#test/session.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'
import { expectMissing, expectNoEffect, hiddenContent, makeStage, NO_ID, openContent, type Stage, scopedManager } from './stage.ts'

let world: World
let stage: Stage

beforeAll(async () => {
  world = await createWorld()
  stage = await makeStage(world)
})
afterAll(() => world.close())

describe('vuln-04: manager records', () => {
  /** Every way to become a manager, to gain permissions, and to remove the administrator. */
  const ways = (own: number, admin: number) =>
    [
      ['GET', '/admin/managers', undefined],
      ['GET', '/admin/managers?search=a@b', undefined],
      ['POST', '/admin/managers', { user_id: own, role: 'admin' }],
      ['POST', '/admin/managers', { user_id: own, role: 'manager', permissions: PERMISSIONS, spaces: null, status: 'active' }],
      ['PUT', `/admin/managers/${own}`, { role: 'admin' }],
      ['PUT', `/admin/managers/${own}`, { status: 'active', permissions: PERMISSIONS }],
      ['PUT', `/admin/managers/${own}`, {}],
      ['PUT', `/admin/managers/${admin}`, { status: 'inactive' }],
      ['PUT', `/admin/managers/${admin}`, { role: 'moderator' }],
      ['DELETE', `/admin/managers/${admin}`, undefined],
      ['DELETE', `/admin/managers/${own}`, undefined],
      ['DELETE', `/admin/managers/${NO_ID}`, undefined],
      ['PUT', '/settings', { default_role: 'admin' }],
      ['POST', '/admin/leaderboards/levels', { levels: [] }],
    ] as const

  test('are for administrators only, whatever permissions others have', async () => {
    const manager = await world.member({ role: 'manager' })
    await grant(world, manager, PERMISSIONS)
    const moderator = await world.member({ role: 'moderator' })
    await grant(world, moderator, PERMISSIONS, [stage.open])
    const paused = await world.member({ role: 'admin' })
    await stage.admin.api.managers.update({ user_id: paused.id, status: 'inactive' })
    await expectNoEffect(world, async () => {
      for (const who of [stage.attacker, manager, moderator, paused]) {
        for (const [method, path, body] of ways(who.id, stage.admin.id)) {
          // Settings managers may save settings; this one has no other valid value.
          const expected = who === manager && path.startsWith('/settings') ? [400] : [403]
          expect(expected, `${method} ${path} by ${who.username}`).toContain((await who.raw(method, path, body)).status)
          if (method === 'GET') continue
          const disguised = await who.raw('POST', path, body ?? {}, { 'x-http-method-override': method })
          expect(expected, `${method} ${path} in disguise by ${who.username}`).toContain(disguised.status)
        }
      }
      for (const [method, path, body] of ways(stage.attacker.id, stage.admin.id)) {
        expect([method, path, (await world.request(method, path, body)).status]).toEqual([method, path, 401])
      }
    })
  })

  test('are refused to a browser even with its nonce', async () => {
    const { id, username } = await register(world)
    const { raw } = await signIn(world, username)
    await expectNoEffect(world, async () => {
      for (const [method, path, body] of ways(id, stage.admin.id)) {
        expect([method, path, (await raw(method, path, body)).status]).toEqual([method, path, 403])
      }
    })
  })

  test('always include the last administrator', async () => {
    const alone = await createWorld()
    const last = await alone.member({ role: 'admin' })
    await expectNoEffect(alone, async () => {
      for (const [method, path, body] of [
        ['DELETE', `/admin/managers/${last.id}`, undefined],
        ['PUT', `/admin/managers/${last.id}`, { role: 'manager' }],
        ['PUT', `/admin/managers/${last.id}`, { status: 'inactive' }],
        ['POST', '/admin/managers', { user_id: last.id, role: 'moderator' }],
      ] as const) {
        const { status, body: answer } = await last.raw(method, path, body)
        expect([method, path, status, answer.code]).toEqual([method, path, 409, 'last_admin'])
      }
    })
    await alone.close()
  })
})

const reportOf = async (who: Member, object_type: 'feed' | 'comment', object_id: number) =>
  (await who.api.moderation.report({ object_type, object_id, reason: 'spam' })).id

test('vuln-08: a moderator of one space neither decides nor finds reports of another', async () => {
  const who = await scopedManager(world, ['view_reports', 'resolve_reports', 'manage_feeds', 'manage_comments'], [stage.open])
  const there = await makeSpace(world, { privacy: 'private', members: [stage.victim], moderators: [stage.moderator] })
  const { data: feed } = await stage.victim.api.feeds.create({ message: 'Xanthic', space_id: there.id })
  const { data: comment } = await stage.victim.api.comments.create({ feed_id: feed.id, comment: 'Xanthic' })
  const reports = [await reportOf(stage.moderator, 'feed', feed.id), await reportOf(stage.moderator, 'comment', comment.id)]
  const here = await openContent(stage)
  const own = await reportOf(stage.attacker, 'feed', here.feed_id)

  const listed = await who.raw('GET', '/moderation/reports?per_page=100')
  expect([listed.body.reports.map(({ id }: { id: number }) => id), listed.body.pagination.total]).toEqual([[own], 1])
  expect(listed.text).not.toContain('Xanthic')
  const decide = { status: 'resolved', action_taken: 'content_removed' }
  await expectNoEffect(world, async () => {
    const missing = await who.raw('PUT', `/moderation/reports/${NO_ID}`, decide)
    for (const id of reports) expectMissing(await who.raw('PUT', `/moderation/reports/${id}`, decide), missing, `report ${id}`)
    for (const [method, path, body] of [
      ['POST', `/feeds/${feed.id}`, { status: 'spam' }],
      ['DELETE', `/feeds/${feed.id}`, undefined],
      ['POST', `/moderation/queue/feeds/${feed.id}`, { decision: 'reject' }],
      ['POST', `/moderation/queue/comments/${comment.id}`, { decision: 'reject' }],
    ] as const) {
      expect([method, path, (await who.raw(method, path, body)).status]).toEqual([method, path, 404])
    }
  })
})

test('vuln-11: a report reveals nothing about its object, nor whether it exists', async () => {
  const hidden = await hiddenContent(stage)
  const seen = await openContent(stage)
  const report = (object_type: string, object_id: number): Promise<RawAnswer> =>
    stage.attacker.raw('POST', '/moderation/report', { object_type, object_id, reason: 'spam' })
  const lastFeed = (await stage.victim.api.feeds.create({ message: 'The last', space_id: stage.closed.id })).data.id
  const lastComment = (await stage.victim.api.comments.create({ feed_id: lastFeed, comment: 'The last' })).data.id
  const missing = await report('comment', NO_ID)
  const found: number[] = []
  for (const [object_type, last, path] of [
    ['comment', lastComment, (id: number) => `/comments/${id}`],
    ['feed', lastFeed, (id: number) => `/feeds/${id}/by-id`],
  ] as const) {
    for (let id = 1; id <= last; id++) {
      const answer = await report(object_type, id)
      const isSeen = (await stage.attacker.raw('GET', path(id))).status === 200
      if (!isSeen) expectMissing(answer, missing, `${object_type} ${id}`)
      else expect([object_type, id, [200, 201].includes(answer.status)]).toEqual([object_type, id, true])
      expect(answer.text).not.toMatch(/About|On |in sight|The last|message_rendered|"title"|"slug"|excerpt/)
      if (isSeen) found.push(id)
    }
  }
  expect(found).toContain(seen.comment_id)
  for (const { feed_id, comment_id } of hidden) {
    for (const [type, id] of [
      ['feed', feed_id],
      ['comment', comment_id],
    ] as const)
      expectMissing(await report(type, id), missing, `${type} ${id}`)
  }
})
