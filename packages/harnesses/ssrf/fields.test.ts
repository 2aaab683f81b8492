import { expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { BODIES, fill, makeScene, sent } from '#test/valid-bodies.ts'
import { startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member } from '#test/world.ts'
import { createOutbound } from '../../server/src/outbound/index.ts'
import { watch } from './attempts.ts'
import { nameOf, TEXT_FIELDS, type TextField, withValue } from './fields.ts'
import { ENTRIES } from './sinks.ts'
import { asFeed } from './stage.ts'

/** Fields whose address is requested immediately. */
const ASKED_AT_ONCE = ['media.oembed url']

const send = async (who: Member, field: TextField, honest: object, path: string, url: string) => {
  const { route, place } = field
  if (place === 'query') {
    const query = new URLSearchParams({ [String(field.path[0])]: url })
    return who.raw(route.method, `${path}?${query}`, ...(route.body ? sent(route, honest) : []))
  }
  return who.raw(route.method, path, ...sent(route, withValue(honest, field.path, url) as object))
}

test('only the known fields of all operations lead to a connection', { timeout: 120_000 }, async () => {
  const receiver = await startReceiver()
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], resolve: async () => [] })
  const world = await createWorld({ env: { LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8' }, outbound })
  const admin = await world.member({ role: 'admin' })
  const [author, member, other, spaceModerator, spaceAdmin] = await Promise.all(Array.from({ length: 5 }, () => world.member()))
  const cast = { author, member, other, spaceModerator, spaceAdmin } as Record<
    'author' | 'member' | 'other' | 'spaceModerator' | 'spaceAdmin',
    Member
  >
  const scene = await makeScene(world, { ...cast, administrator: admin, password: 1 })
  const { id: webhook_id } = await admin.api.webhooks.create({ name: 'Hook', url: `${receiver.url}/own`, events: ['feed.deleted'] })
  await admin.api.push.subscribe(BODIES['push.subscribe']?.(scene, admin) as Parameters<Member['api']['push']['subscribe']>[0])
  await world.runPendingJobs()
  const { databaseUrl } = world.app.services.config
  const own = [world.base, receiver.url, ...(databaseUrl ? [databaseUrl] : [])].map((url) => Number(new URL(url).port || 5432))
  const seen = await watch(own)
  receiver.seen.length = 0

  const known = new Set([...ASKED_AT_ONCE, ...ENTRIES.map(({ name }) => name)])
  const answers = new Map<number, number>()
  for (const [i, field] of TEXT_FIELDS.entries()) {
    // Body validation does not depend on the database: on PostgreSQL only a share of the other fields is tested.
    if (world.dialect !== 'sqlite' && SOAK === 1 && i % 8 > 0 && !known.has(nameOf(field))) continue
    const honest = BODIES[field.id]?.(scene, admin) ?? {}
    const { status } = await send(admin, field, honest, fill(field.route.path, scene, { webhook_id }), `${receiver.url}/field/${i}`)
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }
  // Uses the stored values: an event for the administrator, a report, and a test of each webhook.
  const feed_id = await asFeed(admin)
  await cast.other.api.comments.create({ feed_id, comment: 'Basil' })
  await cast.other.api.moderation.report({ object_id: feed_id, object_type: 'feed', reason: 'spam' })
  for (const { id, url } of (await admin.api.webhooks.list()).webhooks)
    if (url.startsWith(receiver.url)) await admin.api.webhooks.test({ webhook_id: id })
  await world.runPendingJobs()
  await seen.stop()
  await world.close()
  await receiver.stop()

  expect([...answers.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
  const found = receiver.seen.flatMap(({ path }) => {
    const field = TEXT_FIELDS[Number(/^\/field\/(\d+)/.exec(path)?.[1] ?? -1)]
    return field ? [nameOf(field)] : []
  })
  expect([...new Set(found)].sort()).toEqual([...known].sort())
  expect(seen.attempts).toEqual([])
  expect(TEXT_FIELDS.length).toBeGreaterThan(200)
  report({
    fields: [...answers.values()].reduce((sum, n) => sum + n, 0),
    taken: (answers.get(200) ?? 0) + (answers.get(201) ?? 0),
    connecting: new Set(found).size,
  })
})
