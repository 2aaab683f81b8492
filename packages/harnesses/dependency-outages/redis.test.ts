import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import type { Person } from '../kit/people.ts'
import { callerOf } from './caller.ts'
import { judge, readStored, SOUND } from './judge.ts'
import { isRenamedAtOnce, untilStreamEnds } from './lag.ts'
import { countTogether, createGuesser, MOST_TRIES, taken } from './limits.ts'
import { sendAgain, startLoad } from './load.ts'
import { type Fault, redisFaults } from './redis-faults.ts'
import { makeGuest, makePlaces, manage, type Places, prepareRights } from './rights.ts'
import { onSqlite, type Server, type Stage, setStage } from './stage.ts'
import { credentialOf, openStreamClient, type StreamClient, untilDelivered } from './streams.ts'
import { becomes } from './watch.ts'

const PEOPLE = SOAK === 1 ? 5 : 24
const EARS = 4
/** Testing this many rights takes long on a busy machine. */
const TIMEOUT_MS = SOAK === 1 ? 180_000 : 1_200_000
/** Duration of each fault before its effects are checked. */
const ILL_MS = SOAK === 1 ? 300 : 2000
/** Upper limit for any response on a busy machine. No request waits for Redis, so the median must be low. */
const ANSWERED_WITHIN_MS = 8000
const MOSTLY_WITHIN_MS = 1500
const ASKED = 9
const TOLD_WITHIN_MS = 5000
const TOGETHER_WITHIN_MS = 10_000
/** Streams recheck credentials every second. */
const STREAM_ENDS_WITHIN_MS = 5000

const BOUNDS = { refusals: [], withinMs: ANSWERED_WITHIN_MS }

let stage: Stage
let places: Places
let ears: readonly StreamClient[]
beforeAll(async () => {
  stage = await setStage(PEOPLE + 1, true)
  places = await makePlaces(stage)
  const { servers, people } = stage
  ears = await Promise.all(
    Array.from({ length: EARS }, (_, i) => openStreamClient(servers[i % servers.length] as Server, credentialOf(people[i + 1] as Person))),
  )
}, TIMEOUT_MS)
afterAll(async () => {
  await Promise.all(ears.map((ear) => ear.stop()))
  await stage.stop()
}, TIMEOUT_MS)

/** A post sent with the same idempotency key through both instances is stored once. */
const postsOnce = async (): Promise<boolean> => {
  const headers = { 'idempotency-key': randomUUID() }
  const send = ({ admin }: Server) => admin.call('POST', '/feeds', { message: 'Once' }, headers)
  const [first, second] = [await send(stage.here), await send(stage.there)]
  return first.status === 201 && first.body.data.id === second.body?.data?.id && second.headers['idempotency-replayed'] === 'true'
}

/** Injects one fault and returns the violations. */
const suffer = async (fault: Fault) => {
  const { here, there } = stage
  const wrong: string[] = []
  const check = (isRight: boolean, what: string) => void (isRight || wrong.push(what))
  const rights = await prepareRights(stage, places)
  const before = createGuesser()
  check(taken(await before.guess(here, MOST_TRIES)) === MOST_TRIES, 'fewer tries than there are')
  const guest = await makeGuest(stage)
  const session = callerOf(there.base, guest.cookie)
  const keyed = { 'idempotency-key': randomUUID() }
  const first = await here.admin.call('POST', '/feeds', { message: 'Before' }, keyed)

  await fault.begin()
  // Immediately, before any instance can detect the fault, and again after all have detected it.
  const early = SOAK > 1 ? await prepareRights(stage, places) : null
  const { stale, failed, acts } = await rights.try()
  await pause(ILL_MS)
  const late = early ? await early.try() : null
  check(taken(await before.guess(here, 1)) === 0, 'tries are allowed again')
  const during = createGuesser()
  check(taken(await during.guess(here, MOST_TRIES + 2)) === MOST_TRIES, 'tries are not counted')
  const asked: number[] = []
  for (let i = 0; i < ASKED; i++) {
    const { status, ms } = await session.call('GET', '/feeds')
    check(status === 200, 'a session has ended')
    asked.push(ms)
  }
  const middle = asked.sort((a, b) => a - b)[ASKED >> 1] ?? 0
  check(middle < MOSTLY_WITHIN_MS, `half of all requests take more than ${Math.round(middle)} ms`)
  const again = await there.admin.call('POST', '/feeds', { message: 'Before' }, keyed)
  check(again.status === 201 && again.body.data.id === first.body?.data?.id, 'a key is forgotten')
  check(await postsOnce(), 'a key counts for one instance')
  const ended = await untilStreamEnds(stage, STREAM_ENDS_WITHIN_MS)
  check(ended !== null, 'a stream goes on without its credentials')
  const { id } = await manage(stage, 'POST', '/feeds', { message: 'Can you hear me?' })
  const told = await untilDelivered(ears, id, TOLD_WITHIN_MS)
  check(told !== null, 'not everybody who listens was told')
  check(await isRenamedAtOnce(stage), 'a name is not shown as it is')

  await fault.end()
  const healed = performance.now()
  check(await becomes(() => countTogether(here, there), TOGETHER_WITHIN_MS), 'the instances do not count together again')
  const together = performance.now() - healed
  const { id: last } = await manage(stage, 'POST', '/feeds', { message: 'And now?' })
  check((await untilDelivered(ears, last, TOLD_WITHIN_MS)) !== null, 'not everybody who listens was told afterwards')
  session.close()
  for (const { victim } of stage.servers) check(victim.running, `an instance has ended: ${victim.output().slice(-2000)}`)
  return {
    fault: fault.name,
    wrong: [...wrong, ...failed, ...(late?.failed ?? [])],
    stale: [...stale, ...(late?.stale ?? [])].map((name) => `${fault.name}: ${name}`),
    acts: acts + (late?.acts ?? 0),
    told: Number(told),
    ended: Number(ended),
    middle,
    together,
  }
}

test('control: a permission that is not revoked is detected', async () => {
  const { stale, failed, acts } = await (await prepareRights(stage, places)).try(true)
  expect([failed, stale]).toEqual([[], expect.arrayContaining(['sent out of a private space', 'password changed'])])
  expect(stale).toHaveLength(acts)
})

test(
  'with any failure of Redis, no request is rejected for it, revoked permissions end, limits apply, and streams get every event',
  async () => {
    const { servers, people, redis, core } = stage
    if (!redis) throw new Error('there is no Redis')
    const all = redisFaults(stage, redis)
    // With the two instances on PostgreSQL a short run has only faults that part them.
    const some = onSqlite ? [all.stopped, all.flushed, all.full, all.swallowing] : [all.stopped, all.swallowing]
    const faults: readonly Fault[] = SOAK === 1 ? some : Object.values(all)
    const writers = people.slice(1)
    const feeds: number[] = []
    for (let i = 0; i < PEOPLE; i++) feeds.push((await manage(stage, 'POST', '/feeds', { message: `Feed ${i}` })).id)
    const load = startLoad(servers, writers, { feeds, secret: places.secret.feed })
    const outcomes: Awaited<ReturnType<typeof suffer>>[] = []
    for (const fault of faults) {
      const outcome = await suffer(fault)
      outcomes.push(outcome)
      report({
        Redis: outcome.fault.replaceAll(' ', '-'),
        'median ms': Math.round(outcome.middle),
        'stream delivery ms': Math.round(outcome.told),
        'stream ended in ms': Math.round(outcome.ended),
        'shared limits ms': Math.round(outcome.together),
        wrong: outcome.wrong.length + outcome.stale.length,
      })
      for (const what of [...outcome.wrong, ...outcome.stale]) process.stdout.write(`  ${outcome.fault}: ${what}\n`)
    }
    await load.stop()
    const again = await sendAgain(servers, writers, load.seen)
    for (const { victim } of servers) expect(await victim.end('SIGTERM'), victim.output().slice(-2000)).toBe(0)
    await core.worker.runPending()
    const verdict = judge(load.seen, await readStored(core.services.database.read), BOUNDS)
    const { calls } = load.seen
    const slow = calls.map(({ ms }) => ms).sort((a, b) => a - b)
    report({
      faults: faults.length,
      requests: calls.length,
      '5xx': calls.filter(({ status }) => status >= 500).length,
      'p99 ms': Math.round(slow[Math.floor(slow.length * 0.99)] ?? 0),
      'slowest ms': Math.round(slow.at(-1) ?? 0),
      rights: outcomes.reduce((sum, { acts }) => sum + acts, 0),
      stale: outcomes.reduce((sum, { stale }) => sum + stale.length, 0),
    })
    expect({ wrong: outcomes.flatMap(({ fault, wrong }) => wrong.map((what) => `${fault}: ${what}`)), again, verdict }).toEqual({
      wrong: [],
      again: 0,
      verdict: SOUND,
    })
    expect(outcomes.flatMap(({ stale }) => stale)).toEqual([])
    expect(calls.length).toBeGreaterThan(100)
  },
  TIMEOUT_MS,
)
