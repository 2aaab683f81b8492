import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { MISBEHAVIORS, slug } from './misbehaviors.ts'
import { baselineOf, endsWithin, latencyLimit, measureDuring } from './others.ts'
import { clientWithoutLimits, clientWithTimeout, type Peer, type PeerRequest, startPeer, unredactedLog } from './peer.ts'

const DEADLINE_MS = 1800
const EVENTS = SOAK > 1 ? 40 : 3
const HEADER = 'Header-4711-secret'

let peer: Peer
let world: World
let admin: Member
let ana: Member
let kept: ReturnType<typeof unredactedLog>
const begin = async (outbound = clientWithTimeout(DEADLINE_MS)) => {
  kept = unredactedLog()
  world = await createWorld({ env: { LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8' }, outbound, log: kept.log })
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
}
beforeEach(async () => {
  peer = await startPeer()
})
afterEach(async () => {
  await world.close()
  await peer.stop()
})

interface Hook {
  readonly id: number
  readonly path: string
  readonly secret: string
}

const makeHook = async (name: string): Promise<Hook> => {
  const path = `/hook/${slug(name)}`
  const headers = { Authorization: HEADER }
  const { id, secret } = await admin.api.webhooks.create({
    name,
    url: (await peer.another()) + path,
    events: ['feed.created'],
    retry_count: 3,
    headers,
  })
  return { id, path, secret }
}

const isSigned = ({ secret }: Pick<Hook, 'secret'>, { headers, text }: Pick<PeerRequest, 'headers' | 'text'>): boolean => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const mac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(signed)
    .digest('base64')
  return headers['webhook-signature'] === `v1,${mac}`
}

const logOf = async ({ id }: Hook) => (await admin.api.webhooks.deliveries({ webhook_id: id, per_page: 100 })).deliveries
const post = async (times: number) => {
  for (let n = 0; n < times; n++) await ana.api.feeds.create({ message: `Number ${n}` })
}

test('whatever receivers do, each delivery arrives signed and once, and delays nobody else', {
  timeout: 120_000,
}, async () => {
  await begin()
  // The first delivery of a process also loads modules.
  const honest = await makeHook('honest')
  await post(1)
  await world.runPendingJobs()
  const hooks = new Map<string, Hook>()
  for (const { name } of MISBEHAVIORS) hooks.set(name, await makeHook(name))
  await post(EVENTS)
  const most = latencyLimit(await baselineOf(ana))
  const { ms, slowest, asked } = await measureDuring(ana, world.runPendingJobs())
  expect(slowest).toBeLessThan(most)
  expect(peer.elsewhere()).toBe(0)

  const wrong: string[] = []
  for (const { name, taken } of MISBEHAVIORS) {
    const hook = hooks.get(name)!
    const log = await logOf(hook)
    const states = new Set(log.map(({ status, error }) => `${status} ${error === null ? 'well' : 'told'}`))
    if (log.length !== EVENTS || [...states].join() !== (taken ? 'delivered well' : 'pending told'))
      wrong.push(`${name}: ${[...states].join()} ${log[0]?.error}`)
  }
  expect(wrong).toEqual([])

  peer.heal()
  for (let rounds = 0; rounds < 3; rounds++) {
    world.clock.advance(20)
    await world.runPendingJobs()
  }
  for (const { name, taken } of MISBEHAVIORS) {
    const hook = hooks.get(name)!
    const mine = peer.seen.filter(({ path }) => path === hook.path)
    const ids = (list: readonly PeerRequest[]) => list.map(({ headers }) => String(headers['webhook-id'])).sort()
    const told = (await logOf(hook)).map(({ message_id }) => message_id).sort()
    if ((await logOf(hook)).some(({ status }) => status !== 'delivered')) wrong.push(`${name}: not delivered`)
    if ([...new Set(ids(mine))].join() !== told.join()) wrong.push(`${name}: other events arrived`)
    if (ids(mine.filter(({ honest }) => honest)).join() !== (taken ? '' : told.join())) wrong.push(`${name}: taken other than once`)
    if (!mine.every((one) => isSigned(hook, one))) wrong.push(`${name}: a signature is wrong`)
  }
  expect(wrong).toEqual([])
  expect((await logOf(honest)).map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
    Array.from({ length: 1 + EVENTS }, () => 'delivered 1'),
  )
  const secrets = [HEADER, ...[...hooks.values()].map(({ secret }) => secret)]
  expect(secrets.filter((secret) => kept.text().includes(secret))).toEqual([])
  report({
    peer: 'webhook receiver',
    faults: MISBEHAVIORS.length,
    deliveries: MISBEHAVIORS.length * EVENTS,
    attempts: peer.seen.length,
    ms: Math.round(ms),
    slowest: Math.round(slowest),
    'other requests': asked,
  })
})

test('a hanging receiver is paused, probed with one delivery, and served again once it works', {
  timeout: 60_000,
}, async () => {
  await begin(clientWithTimeout(2100))
  const hook = await makeHook('says nothing')
  await world.runPendingJobs()
  await post(10)
  await world.runPendingJobs()
  expect(peer.seen).toHaveLength(8)
  expect((await admin.api.webhooks.one({ webhook_id: hook.id })).data.paused_until).not.toBeNull()
  world.clock.advance(10)
  await world.runPendingJobs()
  expect(peer.seen).toHaveLength(8)
  peer.heal()
  world.clock.advance(3600)
  await world.runPendingJobs()
  expect((await logOf(hook)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'delivered'))
  expect((await admin.api.webhooks.one({ webhook_id: hook.id })).data.paused_until).toBeNull()
})

test('control: a client without limits hangs and follows redirects', { timeout: 60_000 }, async () => {
  await begin(clientWithoutLimits())
  const hooks = { hangs: await makeHook('drips its body'), leads: await makeHook('redirects to this machine') }
  await world.runPendingJobs()
  await post(1)
  const settling = world.runPendingJobs()
  expect(await endsWithin(settling, 2 * DEADLINE_MS)).toBe(false)
  expect(peer.elsewhere()).toBeGreaterThan(0)
  expect(isSigned(hooks.leads, { ...peer.seen[0]!, text: 'other' })).toBe(false)
  await peer.stop()
  await settling
  peer = await startPeer()
})
