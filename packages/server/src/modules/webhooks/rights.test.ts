import type { WebhookEvent } from '@lyceum/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { grant, makeSpace } from '#test/fixtures.ts'
import { LOOPBACK, type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let receiver: Receiver
let admin: Member
let manager: Member
let ana: Member
let ben: Member

beforeEach(async () => {
  world = await createWorld({ env: LOOPBACK })
  admin = await world.member({ role: 'admin' })
  manager = await world.member({ role: 'manager' })
  await grant(world, manager, ['manage_webhooks'])
  ana = await world.member({ username: 'ana' })
  ben = await world.member()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.stop()
  await world.close()
})

const EVERYTHING: readonly WebhookEvent[] = [
  'feed.created',
  'feed.updated',
  'feed.deleted',
  'feed.pinned',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'reaction.added',
  'reaction.removed',
  'space.created',
  'space.updated',
  'space.deleted',
  'space.member_joined',
  'space.member_left',
  'course.enrolled',
  'report.created',
  'report.resolved',
]
const hook = async (who: Member, path: string, more: { all_content?: boolean } = {}) =>
  (await who.api.webhooks.create({ name: 'Hook', url: `${receiver.url}/${path}`, events: [...EVERYTHING], ...more })).id
const sentTo = (path: string) => receiver.seen.filter((got) => got.path === `/${path}`)
const logOf = async (webhook_id: number) => (await admin.api.webhooks.deliveries({ webhook_id, per_page: 100 })).deliveries
const logged = async (object_id: number) =>
  (await admin.api.audit.list({ object_type: 'webhook', object_id })).entries.map(({ action, details }) => [action, details['all_content']])

/** Events that a member who only manages webhooks cannot see. */
const whisper = async () => {
  const secret = await makeSpace(world, { privacy: 'secret', members: [ana, ben] })
  const priv = await makeSpace(world, { privacy: 'private', members: [ana, ben] })
  for (const { id: space_id } of [secret, priv]) {
    const feed_id = (await ana.api.feeds.create({ message: 'canary post', title: 'canary', space_id })).data.id
    const comment_id = (await ben.api.comments.create({ feed_id, comment: 'canary comment' })).data.id
    await ben.api.reactions.toFeed({ feed_id, type: 'like' })
    await ben.api.reactions.toComment({ feed_id, comment_id, type: 'like' })
    await ana.api.feeds.update({ feed_id, message: 'canary again' })
    await ben.api.comments.remove({ feed_id, comment_id })
    await ana.api.feeds.remove({ feed_id })
  }
  const kept = (await ana.api.feeds.create({ message: 'canary for followers', privacy: 'private' })).data.id
  const shown = (await ana.api.feeds.create({ message: 'For everybody' })).data.id
  await ben.api.moderation.report({ object_id: shown, object_type: 'feed', reason: 'spam', description: 'canary report' })
  await admin.api.spaceMembers.add({ space_slug: secret.slug, user_id: (await world.member()).id })
  await admin.api.spaces.updateById({ space_id: secret.id, title: 'canary space' })
  await admin.api.spaces.removeById({ space_id: secret.id })
  return { shown, kept, secret }
}

describe('a webhook of a member who only manages webhooks', () => {
  it('gets only what its creator may see', async () => {
    const id = await hook(manager, 'theirs')
    const { shown, kept } = await whisper()
    await world.runPendingJobs()
    await refused(manager.api.feeds.byId({ feed_id: kept }), 404, 'feed_not_found')
    const got = sentTo('theirs')
    expect(got.map(({ text }) => text).join()).not.toContain('canary')
    expect(got.map(({ body }) => [body.event, body.data.id])).toEqual([['feed.created', shown]])
    const log = await logOf(id)
    expect(log.filter(({ status }) => status === 'delivered')).toHaveLength(1)
    const skipped = log.filter(({ status }) => status === 'skipped')
    expect(skipped.length).toBe(log.length - 1)
    expect(skipped[0]).toMatchObject({ attempts: 0, response_code: null, next_try_at: null, error: expect.stringContaining('Skipped') })
    expect((await admin.api.webhooks.deliveries({ webhook_id: id, status: 'failed' })).pagination.total).toBe(0)
    expect((await admin.api.webhooks.deliveries({ webhook_id: id, status: 'skipped' })).pagination.total).toBe(skipped.length)
    expect((await admin.api.webhooks.one({ webhook_id: id })).data).toMatchObject({ status: 'active', last_error: null })
  })

  it('uses the creator’s access at the time of the delivery', async () => {
    const id = await hook(manager, 'theirs')
    const space = await makeSpace(world, { privacy: 'secret', members: [ana] })
    const post = async (message: string) => void (await ana.api.feeds.create({ message, space_id: space.id }))
    await post('Too early')
    await world.runPendingJobs()
    await post('Written before they joined')
    await admin.api.spaceMembers.add({ space_slug: space.slug, user_id: manager.id })
    await world.runPendingJobs()
    const told = () => sentTo('theirs').flatMap(({ body }) => (body.event === 'feed.created' ? [body.data.message] : []))
    expect(told()).toEqual(['Written before they joined'])
    await admin.api.spaceMembers.remove({ space_slug: space.slug, user_id: manager.id })
    // Access is checked again when a skipped or sent delivery is repeated.
    for (const { id: delivery_id } of await logOf(id)) await admin.api.webhooks.redeliver({ webhook_id: id, delivery_id })
    await world.runPendingJobs()
    expect(told()).toEqual(['Written before they joined'])
  })

  it('cannot be for all content, nor be changed by others', async () => {
    await refused(hook(manager, 'all', { all_content: true }), 403, 'rest_forbidden')
    const mine = await hook(manager, 'theirs')
    await refused(manager.api.webhooks.update({ webhook_id: mine, all_content: true }), 403, 'rest_forbidden')
    const other = await hook(admin, 'admins?token=in-the-path', { all_content: true })
    for (const call of [
      () => manager.api.webhooks.update({ webhook_id: other, url: `${receiver.url}/stolen` }),
      () => manager.api.webhooks.rotateSecret({ webhook_id: other }),
      () => manager.api.webhooks.deliveries({ webhook_id: other }),
      () => manager.api.webhooks.test({ webhook_id: other }),
      () => manager.api.webhooks.remove({ webhook_id: other }),
    ])
      await refused(call(), 403, 'rest_forbidden')
    const { webhooks } = await manager.api.webhooks.list()
    expect(webhooks.find(({ id }) => id === other)).toMatchObject({ url: `${receiver.url}/…`, headers: {} })
    expect(JSON.stringify([webhooks, await manager.api.webhooks.one({ webhook_id: other })])).not.toContain('in-the-path')
  })
})

describe('a webhook of an administrator', () => {
  it('gets what an administrator sees, with and without the flag, and the log shows skipped deliveries', async () => {
    const [plain, all] = [await hook(admin, 'plain'), await hook(admin, 'all', { all_content: true })]
    await whisper()
    await world.runPendingJobs()
    for (const path of ['plain', 'all']) {
      const events = sentTo(path).map(({ body }) => body.event)
      for (const event of ['report.created', 'space.member_joined', 'space.deleted', 'comment.deleted']) expect(events).toContain(event)
      expect(
        sentTo(path)
          .map(({ text }) => text)
          .join(),
      ).toContain('canary for followers')
    }
    expect(await logged(plain)).toEqual([['webhook.created', false]])
    await admin.api.webhooks.update({ webhook_id: plain, all_content: true })
    expect(await logged(plain)).toContainEqual(['webhook.updated', true])
    expect(await logged(all)).toEqual([['webhook.created', true]])
  })

  it('does not reveal its creator’s own relation to the objects', async () => {
    await hook(admin, 'plain')
    const feed_id = (await ana.api.feeds.create({ message: 'Hello' })).data.id
    await admin.api.reactions.toFeed({ feed_id, type: 'wow' })
    await admin.api.reactions.toFeed({ feed_id, react_type: 'bookmark' })
    await ana.api.feeds.update({ feed_id, message: 'Hello again' })
    await world.runPendingJobs()
    const told = sentTo('plain').find(({ body }) => body.event === 'feed.updated')?.body.data
    expect(told).toMatchObject({ has_user_react: null, bookmarked: false, message: 'Hello again' })
  })
})

describe('deliveries end with the creator’s permission', () => {
  const demote: Readonly<Record<string, (who: Member) => Promise<unknown>>> = {
    'the permission is taken away': (who) => admin.api.managers.remove({ user_id: who.id }),
    'the permission is limited to a space': async (who) => grant(world, who, ['manage_webhooks'], [await makeSpace(world)]),
    'the account is suspended': (who) => admin.api.members.update({ user_id: who.id, status: 'suspended' }),
    'the account is deleted': (who) => admin.api.privacy.deleteMember({ user_id: who.id, content: 'anonymise' }),
  }
  it.each(Object.keys(demote))('when %s', async (name) => {
    const id = await hook(manager, 'theirs')
    await demote[name]?.(manager)
    await ana.api.feeds.create({ message: 'For everybody' })
    await world.runPendingJobs()
    expect(sentTo('theirs')).toEqual([])
    const { data } = await admin.api.webhooks.one({ webhook_id: id })
    expect(data).toMatchObject({ status: 'inactive', last_error: expect.stringContaining('Switched off') })
    expect((await logged(id))[0]).toEqual(['webhook.disabled', undefined])
  })

  it('when an administrator is demoted, until another one takes it over', async () => {
    const former = await world.member({ role: 'admin' })
    const id = await hook(former, 'all', { all_content: true })
    await admin.api.managers.update({ user_id: former.id, role: 'manager', permissions: ['manage_webhooks'] })
    await ana.api.feeds.create({ message: 'For everybody' })
    await world.runPendingJobs()
    expect(sentTo('all')).toEqual([])
    await admin.api.webhooks.update({ webhook_id: id, status: 'active' })
    await world.runPendingJobs()
    expect(sentTo('all').map(({ body }) => body.event)).toEqual(['feed.created'])
    expect((await admin.api.webhooks.one({ webhook_id: id })).data).toMatchObject({ created_by: admin.id, status: 'active' })
  })
})
