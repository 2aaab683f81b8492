import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lyceumJson } from '#test/command.ts'
import { report, SOAK } from '#test/scale.ts'
import type { Person } from '../kit/people.ts'
import { judge, readStored, SOUND, type Stored } from './judge.ts'
import { type Call, createSeen, sendAgain, startLoad } from './load.ts'
import { type Fault, postgresFaults } from './postgres-faults.ts'
import { makePlaces, manage } from './rights.ts'
import { DELIVERED_WITHIN_MS, hasSessions, jobsLeft, type Outcome, runFault } from './run-fault.ts'
import { onSqlite, type Server, type Stage, setStage } from './stage.ts'
import { credentialOf, openStreamClient, type StreamClient, untilDelivered } from './streams.ts'
import { becomes } from './watch.ts'

const RESTARTS = Math.min(20, 2 * SOAK)
const CUT_MS = SOAK === 1 ? 2000 : 30_000
const BRIEF_MS = SOAK === 1 ? 300 : 2000
const PEOPLE = SOAK === 1 ? 5 : 24
const EARS = 4
const TIMEOUT_MS = 120_000 + SOAK * 60_000

/** A request waits up to 5 s for a connection and 6 s for a response; the rest allows for a slow machine. */
const ANSWERED_WITHIN_MS = 12_500
/** The lower limit of each kind, because other work may delay the machine. */
const BACK_WITHIN_MS = SOAK === 1 ? 6000 : 2000
/** The listener and lock connections reconnect on their own schedule. */
const SESSIONS_WITHIN_MS = 20_000
const JOBS_WITHIN_MS = 60_000

const BOUNDS = { refusals: ['503 service_unavailable', '409 conflict'], withinMs: ANSWERED_WITHIN_MS }

describe('controls: the checks detect', () => {
  const call = (further: Partial<Call>): Call => ({ what: 'post', status: 201, code: '', retryAfter: false, begun: 0, ms: 5, ...further })
  const author = { id: 1, authorization: '' }
  const verdictOf = (answers: readonly Call[], stored: Partial<Stored>) => {
    const seen = createSeen()
    seen.writes.push({ kind: 'post', text: 'a', key: 'k', author, feed: null, answers: [...answers], ids: new Set([7]) })
    seen.calls.push(...answers)
    return judge(seen, { ids: new Map([['a', [7]]]), activities: new Map([['post_created 7', 1]]), ...stored }, BOUNDS)
  }
  const nowhere = { ids: new Map(), told: new Map() }
  test.each<[string, readonly Call[], Partial<Stored>, object]>([
    ['nothing, where all is well', [call({})], {}, {}],
    ['a write that is lost', [call({})], nowhere, { lost: ['a'] }],
    ['one that is there twice', [call({})], { ids: new Map([['a', [7, 8]]]) }, { doubled: ['a'], wrongActivities: ['0 activities of a'] }],
    [
      'one that is there as another',
      [call({})],
      { ids: new Map([['a', [9]]]) },
      { doubled: ['a'], wrongActivities: ['0 activities of a'] },
    ],
    ['a 500', [call({}), call({ status: 500, code: 'internal_error' })], {}, { odd: ['1 × post: 500 internal_error'] }],
    ['no answer', [call({}), call({ status: 0 })], {}, { odd: ['1 × post: no answer'] }],
    ['a 503 that does not say when', [call({}), call({ status: 503, code: 'service_unavailable' })], {}, { bare: 1 }],
    ['an answer that is late', [call({ ms: 13_000 })], {}, { late: ['post: 201 after 13000 ms'] }],
    ['a secret that is shown', [call({}), call({ what: 'secret', status: 200 })], {}, { shown: 1 }],
    ['an activity that never came', [call({})], { activities: new Map() }, { wrongActivities: ['0 activities of a'] }],
  ])('%s', (_what, answers, stored, found) => expect(verdictOf(answers, stored)).toEqual({ ...SOUND, ...found }))
})

if (!onSqlite) {
  let stage: Stage
  let ears: readonly StreamClient[]
  beforeAll(async () => {
    stage = await setStage(PEOPLE + 1, false)
    ears = await Promise.all(
      Array.from({ length: EARS }, (_, i) => openStreamClient(stage.servers[i % 2] as Server, credentialOf(stage.people[i + 1] as Person))),
    )
  }, TIMEOUT_MS)
  afterAll(async () => {
    await Promise.all(ears.map((ear) => ear.stop()))
    await stage.stop()
  }, TIMEOUT_MS)

  const spread = (all: readonly number[]) => [...new Set([Math.min(...all), Math.max(...all)].map(Math.round))].join('–')
  const makeFaults = (): Fault[] => {
    const faults = postgresFaults(stage)
    const restarts = Array.from({ length: RESTARTS }, (_, n) => faults.restart(n, BRIEF_MS))
    const others = [faults.terminate(), faults.noConnections(BRIEF_MS), faults.readOnly(BRIEF_MS)]
    const cuts = SOAK === 1 ? [] : [faults.slow(BRIEF_MS, 100), faults.held(2000), faults.held(CUT_MS)]
    return [...restarts, ...others, ...cuts, faults.lost(CUT_MS)]
  }

  test(
    'with any failure of PostgreSQL, nothing acknowledged is lost or duplicated, requests are rejected in time, and the server recovers by itself',
    async () => {
      const { servers, people, core, env } = stage
      const { secret } = await makePlaces(stage)
      const feeds: number[] = []
      for (let i = 0; i < PEOPLE; i++) feeds.push((await manage(stage, 'POST', '/feeds', { message: `Feed ${i}` })).id)
      const writers = people.slice(1)
      const load = startLoad(servers, writers, { feeds, secret: secret.feed })
      const outcomes: Outcome[] = []
      let since = ''
      for (const fault of makeFaults()) {
        since = (await stage.sql('select now()::text as now')).rows[0].now
        outcomes.push(await runFault(stage, ears, fault))
      }
      await load.stop()
      const again = await sendAgain(servers, writers, load.seen)
      const afterwards: string[] = []
      if (!(await becomes(() => hasSessions(stage, since), SESSIONS_WITHIN_MS)))
        afterwards.push('not everybody listens and holds the data again')
      if (!(await becomes(async () => (await jobsLeft(stage)).length === 0, JOBS_WITHIN_MS)))
        afterwards.push(`jobs do not go on: ${JSON.stringify(await jobsLeft(stage))}`)
      const posted = load.seen.writes.flatMap(({ kind, ids }) => (kind === 'post' ? [...ids] : []))
      // Listeners that were reset may receive the event last.
      const listening = ears.filter(({ resets }) => resets === 0)
      await Promise.all(posted.map((id) => untilDelivered(listening, id, DELIVERED_WITHIN_MS)))
      const missed = ears.flatMap(({ feeds: heard, resets }) => (resets > 0 ? [] : posted.filter((id) => !heard.has(id))))
      for (const { victim } of servers) expect(await victim.end('SIGTERM'), victim.output().slice(-2000)).toBe(0)
      await core.worker.runPending()
      const verdict = judge(load.seen, await readStored(core.services.database.read), BOUNDS)
      const { calls, writes } = load.seen
      const refused = calls.filter(({ status }) => status === 503)
      const slowest = Math.max(...calls.map(({ ms }) => ms))
      for (const [name, all] of Map.groupBy(outcomes, ({ fault }) => fault)) {
        const back = Math.min(...all.map((one) => one.back))
        if (back > BACK_WITHIN_MS) afterwards.push(`${name}: back only after ${Math.round(back)} ms`)
        report({
          PostgreSQL: name.replaceAll(' ', '-'),
          times: all.length,
          'recovery ms': spread(all.map((one) => one.back)),
          'writable again ms': spread(all.map(({ written }) => written)),
          'stream delivery ms': Math.round(Math.max(...all.map(({ deliveredMs }) => deliveredMs))),
          'log bytes/s': Math.max(...all.map(({ rate }) => rate)),
        })
      }
      report({
        requests: calls.length,
        writes: writes.length,
        'sent again': again,
        refused: refused.length,
        'slowest ms': Math.round(slowest),
        lost: verdict.lost.length,
        doubled: verdict.doubled.length,
        odd: verdict.odd.length,
        'missing in streams': missed.length,
        'stream reconnects': ears.reduce((sum, { returns }) => sum + returns, 0),
        resets: ears.reduce((sum, { resets }) => sum + resets, 0),
      })
      expect({
        wrong: [...outcomes.flatMap(({ fault, wrong }) => wrong.map((what) => `${fault}: ${what}`)), ...afterwards],
        verdict,
        missed,
      }).toEqual({
        wrong: [],
        verdict: SOUND,
        missed: [],
      })
      expect(refused.length).toBeGreaterThan(0)
      expect(await lyceumJson(env, 'doctor')).toEqual({ ok: true, violations: [], warnings: expect.any(Array) })
    },
    TIMEOUT_MS,
  )
}
