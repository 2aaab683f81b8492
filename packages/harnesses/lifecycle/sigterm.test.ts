import { randomInt } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Env, freshEnv, lyceumJson, readyEnv } from '#test/command.ts'
import { report, SOAK } from '#test/scale.ts'
import { LOOPBACK, type Received, startReceiver } from '#test/webhook-receiver.ts'
import { type Core, createCore } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { runText } from '../../server/src/db/index.ts'
import { createWebhook } from '../../server/src/modules/webhooks/commands.ts'
import { createSeen, type Seen, sendAgain } from '../io-faults/clients.ts'
import { SOUND, storedTexts, verdictOn } from '../io-faults/verdict.ts'
import { makePeople, type Person } from '../kit/people.ts'
import { miscounted, withCommunity } from './community.ts'
import type { Outcome } from './line.ts'
import { endAll, spawnLyceum, startServing } from './process.ts'
import { faultsOf, type Signals, type Stopped, stopUnderLoad, type Trial } from './stop.ts'

const STOPS = SOAK === 1 ? 1 : 3 * SOAK
const STARTS = SOAK === 1 ? 1 : 3 * SOAK
const CLIENTS = SOAK === 1 ? 12 : 32
const TIMEOUT_MS = 120_000 + STOPS * 20_000
const WAYS: readonly Signals[] = [['SIGTERM', 'SIGTERM'], ['SIGINT'], ['SIGTERM']]

const folder = () => mkdtempSync(join(inject('scratch'), 'operations-'))

let env: Env
let people: Person[]
let seen: Seen
let trial: Trial
let receiver: Awaited<ReturnType<typeof startReceiver>>
let core: Core | undefined

/** A webhook that belongs to the first administrator. */
const makeHook = async ({ id }: Person): Promise<void> => {
  const actor = {
    id,
    username: 'writer1',
    role: 'admin',
    permissions: new Set<never>(),
    managedSpaces: null,
    createdAt: '',
    sessionId: null,
  } as const
  const request = { id: 'r', ip: '127.0.0.1', userAgent: '', url: '', startedAt: 0 }
  await withCommunity(env, ({ write }) =>
    write(null, (ctx) =>
      createWebhook({ ...ctx, actor, request }, { name: 'Hook', url: receiver.url, events: ['feed.deleted'], retry_count: 5 }),
    ),
  )
}

beforeAll(async () => {
  const waiting: ((delivery: { got: Received; answer: () => void }) => void)[] = []
  receiver = await startReceiver((got, response) => {
    const take = waiting.shift()
    if (take) take({ got, answer: () => void response.end('ok') })
    else response.end('ok')
  })
  env = { ...(await readyEnv()), ...LOOPBACK, LYCEUM_RATE_LIMIT: 'off' }
  people = await makePeople(env, CLIENTS)
  seen = createSeen()
  await makeHook(people[0] as Person)
  const delivered = () => new Promise<{ got: Received; answer: () => void }>((resolve) => void waiting.push(resolve))
  trial = { env, people, seen, delivered }
}, TIMEOUT_MS)
afterAll(async () => {
  endAll()
  await core?.close()
  await receiver.stop()
})

const idOf = ({ headers }: Received) => String(headers['webhook-id'])

test(
  `a server that is stopped ${STOPS} times under ${CLIENTS} clients completes every accepted request, and exits cleanly`,
  async () => {
    const outcomes: Record<Outcome, number> = { answered: 0, refused: 0, unaccepted: 0, dropped: 0, cut: 0 }
    const times: number[] = []
    let announced = 0
    const backup = join(folder(), 'beside.lyceum')
    for (let i = 0; i < STOPS; i++) {
      const stopped = await stopUnderLoad(trial, WAYS[i % WAYS.length] as Signals, backup)
      expect(faultsOf(stopped)).toEqual([])
      for (const [name, times] of Object.entries(stopped.met.outcomes)) outcomes[name as Outcome] += times
      announced += stopped.met.announced
      times.push(stopped.ms)
    }

    const server = await startServing(env)
    // A refused or unaccepted connection leaves a write without response and without effect.
    const unanswered = seen.writes.filter(({ answers }) => answers.every(({ status }) => status === 0)).length
    for (const write of seen.writes) write.answers.splice(0, write.answers.length, ...write.answers.filter(({ status }) => status > 0))
    await sendAgain(server.base, seen.writes)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    core = createCore({ config: readConfig(env) })
    await core.worker.runPending()
    const verdict = verdictOn(seen, await storedTexts(env), [])
    const sent = receiver.seen.map(idOf)
    const longest = Math.round(Math.max(...times))
    report({
      stops: STOPS,
      answered: outcomes.answered,
      'announced closes': announced,
      refused: outcomes.refused,
      unaccepted: outcomes.unaccepted,
      dropped: outcomes.dropped,
      'cut off': outcomes.cut,
      unanswered,
      lost: verdict.lost.length,
      doubled: verdict.doubled.length,
      'longest ms': longest,
    })
    expect(verdict).toEqual(SOUND)
    expect(await miscounted(core)).toBe(0)
    expect([sent.length, new Set(sent).size]).toEqual([STOPS, STOPS])
    expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true, violations: [] })

    const there = await freshEnv('sqlite')
    await lyceumJson(there, 'restore', backup)
    expect(await lyceumJson(there, 'doctor')).toMatchObject({ ok: true, violations: [] })
  },
  TIMEOUT_MS,
)

test(
  `a server stopped during startup does not affect the next start (${STARTS} times)`,
  async () => {
    const place = await freshEnv()
    let before = 0
    for (let i = 0; i < STARTS; i++) {
      const { child, ended } = spawnLyceum(place, 'serve')
      const timer = setTimeout(() => child.kill('SIGTERM'), randomInt(100, 1000))
      const [code, signal] = await ended
      clearTimeout(timer)
      // Before the signal handler is installed, the signal ends the process directly.
      expect([code ?? signal]).toEqual([expect.toBeOneOf([0, 'SIGTERM'])])
      if (signal) before += 1
    }
    const server = await startServing(place)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(await lyceumJson(place, 'doctor')).toMatchObject({ ok: true, violations: [] })
    report({ 'stopped while starting': STARTS, 'of them before anything ran': before })
  },
  TIMEOUT_MS,
)

describe('controls: the checks detect', () => {
  test(
    'a server that is killed instead of stopped',
    async () => {
      const stopped: Stopped = await stopUnderLoad(trial, ['SIGKILL'], join(folder(), 'killed.lyceum'))
      expect(faultsOf(stopped)).toEqual(
        expect.arrayContaining([
          'the exit code is null after SIGKILL',
          'the stream ended without a farewell',
          expect.stringMatching(/requests were dropped|answers were cut off/),
        ]),
      )
    },
    TIMEOUT_MS,
  )

  test(
    'a duplicated or lost activity',
    async () => {
      const of = core as Core
      const copy = 'user_id, action_type, object_id, object_type, created_at'
      const meddle = (sql: string) => of.services.database.write((db) => runText(db, sql, []))
      await of.worker.runPending()
      const sound = await miscounted(of)
      await meddle(`insert into activities (${copy}) select ${copy} from activities where action_type = 'post_created' order by id limit 1`)
      await meddle(`delete from activities where id = (select max(id) from activities where action_type = 'comment_added')`)
      expect(await miscounted(of)).toBe(sound + 2)
    },
    TIMEOUT_MS,
  )
})
