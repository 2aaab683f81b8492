import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Env, freshEnv, lyceumJson, type Running, readyEnv, startServer } from '#test/command.ts'
import { report, SOAK } from '#test/scale.ts'
import { createDatabase } from '#test/services/database.ts'
import { type Killable, startKillablePostgres } from '#test/services/postgres.ts'
import { findPostgres } from '#test/services/programs.ts'
import { type Core, createCore } from '../../server/src/app.ts'
import { runChecks } from '../../server/src/cli/doctor/run-checks.ts'
import { readConfig } from '../../server/src/config.ts'
import { nowOf } from '../../server/src/core/clock.ts'
import { connect } from '../kit/connection.ts'
import { makePeople, type Person } from '../kit/people.ts'
import { repeatAcknowledged, resolveUnanswered, writeUntilServerStops } from './clients.ts'
import { createHistory, type History } from './history.ts'
import { judge } from './judge.ts'

const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
const KILLS = SOAK > 1 ? 3 * SOAK : 1
/** Approximate number of acknowledged writes between two kills. */
const KILL_AFTER = SOAK > 10 ? 600 : 120 / KILLS
/** The last kill and every n-th before it include the database, if it is a separate process of ours. */
const WITH_DATABASE = 2
const CLIENTS = SOAK === 1 ? 24 : 64
const FEEDS = SOAK === 1 ? 10 : 30
const REPEATED = 20 * KILLS
/** Applies to the fastest restart, since the machine may be busy. */
const BACK_WITHIN_S = 2
/** A restart after a kill recovers and reconciles, so it may take longer than the first start; matters on a busy machine. */
const MOST_STARTS = 3
const TIMEOUT_MS = 150_000 + KILLS * 15_000

let env: Env
let cluster: Killable | null = null
let people: Person[]
let feeds: number[]
let history: History
let core: Core

/** Starts the server and returns the seconds until it responds to a signed-in client. */
const startServing = async () => {
  const started = performance.now()
  const server = await startServer(env)
  const connection = connect(server.base, (people[0] as Person).authorization)
  const answer = await connection.send('GET', '/feeds')
  connection.close()
  if (answer?.status !== 200) throw new Error(`the first request is answered with ${answer?.status}`)
  return { server, seconds: (performance.now() - started) / 1000 }
}

const makeFeeds = async (base: string) => {
  const connection = connect(base, (people[0] as Person).authorization)
  feeds = []
  for (let i = 0; i < FEEDS; i++) feeds.push((await connection.send('POST', '/feeds', { message: `Feed ${i}` }))?.body.data.id as number)
  connection.close()
}

beforeAll(async () => {
  if (onPostgres && findPostgres()) cluster = await startKillablePostgres()
  const place = cluster ? { ...(await freshEnv('sqlite')), LYCEUM_DATABASE_URL: await createDatabase(cluster.url) } : await readyEnv()
  env = { ...place, LYCEUM_RATE_LIMIT: 'off' }
  people = await makePeople(env, CLIENTS)
  history = createHistory()
}, TIMEOUT_MS)
afterAll(async () => {
  await core?.close()
  await cluster?.stop()
})

/** Kills the server, or the database and then the server. */
const kill = async (server: Running, withDatabase: boolean) => {
  history.databaseGoes = withDatabase
  if (withDatabase) await cluster?.kill()
  await server.end('SIGKILL')
}

const middle = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN
const violations = async () =>
  (await runChecks(core.services.database, { now: nowOf(core.services.clock), sample: 20_000 })).violations.map(({ check }) => check)

test(
  `nothing acknowledged is lost or duplicated when the server is killed ${KILLS} times under ${CLIENTS} writers`,
  async () => {
    const restarts: number[] = []
    let firstStart = 0
    let databases = 0
    for (let turn = 0; turn <= KILLS; turn++) {
      const { server, seconds } = await startServing()
      if (turn === 0) {
        firstStart = seconds
        await makeFeeds(server.base)
      } else restarts.push(seconds)
      await resolveUnanswered(server.base, people, history)
      if (turn === KILLS) {
        expect(await repeatAcknowledged(server.base, people, history, REPEATED)).toBe(0)
        expect(await server.end('SIGTERM')).toBe(0)
        break
      }
      let left = randomInt(KILL_AFTER / 2, KILL_AFTER * 1.5)
      let ended: Promise<unknown> | undefined
      await writeUntilServerStops(server.base, people, feeds, history, () => {
        left -= 1
        if (left === 0) ended = kill(server, cluster !== null && (KILLS - turn) % WITH_DATABASE === 1)
      })
      await ended
      if (history.databaseGoes) {
        await cluster?.start()
        databases += 1
      }
      history.databaseGoes = false
    }

    core = createCore({ config: readConfig(env) })
    await core.worker.runPending()
    const {
      lost,
      doubled,
      wrong,
      missingActivities,
      duplicateActivities,
      unanswered: stored,
    } = await judge(core.services.database.read, history)
    const { acknowledged, unanswered, happened, oddities } = history
    report({
      kills: KILLS,
      ...(cluster && { 'database kills': databases }),
      acknowledged,
      lost: lost.length,
      doubled: doubled.length,
      unanswered,
      'unanswered but stored': happened + stored,
      'missing activities': missingActivities.length,
      'duplicate activities': duplicateActivities.length,
      'recovery s': `${middle(restarts).toFixed(2)} (${Math.min(...restarts).toFixed(2)} to ${Math.max(...restarts).toFixed(2)})`,
    })
    expect({ oddities, lost, doubled, wrong, missingActivities, duplicateActivities }).toEqual({
      oddities: [],
      lost: [],
      doubled: [],
      wrong: [],
      missingActivities: [],
      duplicateActivities: [],
    })
    expect(await lyceumJson(env, 'doctor')).toEqual({ ok: true, violations: [], warnings: expect.any(Array) })
    expect(acknowledged).toBeGreaterThan(KILLS * KILL_AFTER * (KILLS < 20 ? 0.5 : 0.83))
    expect(Math.min(...restarts)).toBeLessThan(Math.max(BACK_WITHIN_S, MOST_STARTS * firstStart))
  },
  TIMEOUT_MS,
)

/** The checks on manipulated data. */
describe('controls: the checks detect', () => {
  const acknowledged = (kind: 'post' | 'comment') => {
    const found = history.texts.find((text) => text.kind === kind && text.fate === 'acknowledged' && text.id !== null)
    return found as { text: string; id: number }
  }
  const meddle = (sql: string) =>
    core.services.database.write((db) => db.executeQuery({ ...db.selectFrom('users').compile(), sql, parameters: [] }))
  const verdict = () => judge(core.services.database.read, history)

  test('a lost comment and its wrong counter', async () => {
    const { text, id } = acknowledged('comment')
    await meddle(`delete from comments where id = ${id}`)
    expect(await verdict()).toMatchObject({ lost: [text], doubled: [], missingActivities: [] })
    expect(await violations()).toEqual(expect.arrayContaining(['feed_comments_count']))
  })

  test('a duplicated post', async () => {
    const { text } = acknowledged('post')
    await meddle(`update feeds set message = '${text}' where id = ${feeds[0]}`)
    expect((await verdict()).doubled).toEqual([text])
    await meddle(`update feeds set message = 'Feed 0' where id = ${feeds[0]}`)
  })

  test('a lost reaction', async () => {
    const rows = await core.services.database.read.selectFrom('reactions').select(['id', 'user_id', 'feed_id']).limit(1).execute()
    const [row] = rows
    await meddle(`delete from reactions where id = ${row?.id}`)
    expect((await verdict()).wrong).toEqual([`reaction ${row?.user_id} ${row?.feed_id} is there 0 times`])
    expect(await violations()).toEqual(expect.arrayContaining(['feed_reactions_count']))
  })

  test('a missing and a duplicated activity', async () => {
    const { id } = acknowledged('post')
    await meddle(`delete from activities where action_type = 'post_created' and object_id = ${id}`)
    expect((await verdict()).missingActivities).toEqual([expect.stringMatching(new RegExp(`^post_created \\d+ ${id}$`))])
    const copy = 'user_id, action_type, object_id, object_type, created_at'
    await meddle(`insert into activities (${copy}) select ${copy} from activities where action_type = 'bookmark_added' order by id limit 1`)
    expect((await verdict()).duplicateActivities).toEqual(expect.arrayContaining([expect.stringMatching(/^bookmark_added/)]))
  })
})
