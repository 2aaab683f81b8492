import { describe, expect, onTestFinished, test } from 'vitest'
import { createRandom } from '#test/random.ts'
import { report, SOAK } from '#test/scale.ts'
import { PASSWORD } from '#test/session.ts'
import { nowOf } from '../../server/src/core/clock.ts'
import { runText } from '../../server/src/db/index.ts'
import { makeResetLink } from '../../server/src/modules/accounts/one-time-links.ts'
import {
  DIGEST,
  gapsIn,
  leaseAndDie,
  mailsTo,
  misplanned,
  move,
  nowIn,
  plan,
  post,
  type Scene,
  setScene,
  stillRefused,
  stuck,
  turn,
  unsound,
  useUp,
  walks,
} from './clock-scene.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const TIMEOUT_MS = 60_000 + SOAK * 20_000

const begin = async (): Promise<Scene> => {
  const scene = await setScene()
  onTestFinished(() => scene.world.close())
  return scene
}

const isSignedIn = async ({ browser }: Scene): Promise<boolean> => (await browser.raw('GET', '/profile/carla')).status === 200
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''
/** For a member with no other activity: a new password revokes every other credential. */
const makeLink = ({ world, dora }: Scene) => world.app.write(null, ({ db, now }) => makeResetLink(db, dora.id, now, 'http://localhost'))
const useLink = async ({ world }: Scene, url: string) =>
  (await world.request('POST', '/auth/reset-password', { token: tokenOf(url), password: PASSWORD })).status

/** Violations of rules that must hold whatever the clock does. */
const faultsOf = async (scene: Scene, early: ReadonlySet<number>): Promise<string[]> => [
  ...gapsIn(await walks(scene), scene.feeds),
  ...(await misplanned(scene, early)),
  ...(await stuck(scene)).map((what) => `stuck: ${what}`),
  ...(await unsound(scene)),
]

/** Scheduled feeds that are due by the possibly wrong clock. */
const dueNow = (scene: Scene): Set<number> => new Set(scene.planned.filter(({ at }) => at <= nowIn(scene)).map(({ id }) => id))

/** Short runs use only one jump of each kind. */
const JUMPS = (
  [
    ['an hour ahead', HOUR],
    ['two days ahead', 2 * DAY],
    ['forty days ahead', 40 * DAY],
    ['an hour back', -HOUR],
    ['a day back', -DAY],
  ] as const
).filter(([, seconds]) => SOAK > 1 || (seconds !== 2 * DAY && seconds !== -HOUR))

test.each(JUMPS)(
  'a clock that was %s for a while loses nothing, repeats nothing, and locks nobody out',
  async (name, seconds) => {
    const scene = await begin()
    const { world, ana, ben } = scene
    await post(scene, 'Before')
    for (const after of [HOUR / 2, 3 * HOUR, 5 * DAY]) await plan(scene, after)
    const key = { 'idempotency-key': 'the-same' }
    const once = await ana.raw('POST', '/feeds', { message: 'Once' }, key)
    scene.feeds.push(once.body.data.id)
    const used = (await makeLink(scene)).url
    expect(await useLink(scene, used)).toBe(200)
    const waiting = (await makeLink(scene)).url
    if (seconds < 0) await useUp(scene)
    await leaseAndDie(scene)

    await move(scene, seconds)
    if (seconds < 0) expect(await stillRefused(scene)).toEqual([])
    await post(scene, 'Meanwhile')
    await plan(scene, 2 * HOUR)
    expect(await isSignedIn(scene)).toBe(seconds < 30 * DAY)
    if (seconds > 0) expect(await useLink(scene, waiting)).toBe(400)
    expect(await useLink(scene, used)).toBe(400)
    const again = await ana.raw('POST', '/feeds', { message: 'Once' }, key)
    expect([again.status, again.body.data.id === once.body.data.id]).toEqual([201, seconds < DAY])
    if (seconds >= DAY) scene.feeds.push(again.body.data.id)
    if (seconds > 0) await useUp(scene)
    const ahead = (await makeLink(scene)).url
    await leaseAndDie(scene)
    const early = dueNow(scene)
    expect(await faultsOf(scene, early)).toEqual([])
    // Its jobs are still pending when the clock is corrected.
    await ben.api.comments.create({ feed_id: scene.feeds[0] as number, comment: 'Just before' })

    world.clock.advance(-seconds)
    await world.runPendingJobs()
    await turn(world)
    if (seconds > 0) expect(await stillRefused(scene)).toEqual([])
    expect(await useLink(scene, used)).toBe(400)
    if (seconds > 0) expect(await useLink(scene, ahead)).toBe(400)
    expect(await isSignedIn(scene)).toBe(seconds < 30 * DAY)
    await post(scene, 'Afterwards')
    expect(await faultsOf(scene, early)).toEqual([])
    for (const step of [HOUR, 3 * HOUR, DAY, 5 * DAY]) {
      await move(scene, step)
      expect([...(await misplanned(scene, early)), ...(await stuck(scene))]).toEqual([])
    }
    expect(await faultsOf(scene, early)).toEqual([])
    expect(mailsTo(world, ana, DIGEST)).toBeGreaterThan(0)
    report({ 'a clock': name, planned: scene.planned.length, 'published by the wrong clock': early.size, faults: 0 })
  },
  TIMEOUT_MS,
)

/** Clock jumps, from two days back to forty days ahead. */
const STEPS = [HOUR, -HOUR, DAY, -DAY, 2 * DAY, 600, -600, 40 * DAY, -2 * DAY] as const
const ROUNDS = SOAK
const LENGTH = SOAK === 1 ? 4 : 8

test(
  `${ROUNDS * LENGTH} random steps of the clock forward and back`,
  async () => {
    const seed = Number(process.env['LYCEUM_TEST_SEED']) || 20261122
    const random = createRandom(seed)
    for (let round = 0; round < ROUNDS; round++) {
      const scene = await begin()
      const early = new Set<number>()
      const done: number[] = []
      for (let i = 0; i < LENGTH; i++) {
        const step = STEPS[random.int(STEPS.length)] as number
        done.push(step)
        await post(scene, `Post ${i}`)
        await plan(scene, HOUR * (1 + random.int(48)))
        await scene.ben.api.comments.create({ feed_id: scene.feeds[0] as number, comment: `Comment ${i}` })
        await move(scene, step)
        for (const id of dueNow(scene)) early.add(id)
        expect(await faultsOf(scene, early), `seed ${seed}, round ${round}, steps ${done}`).toEqual([])
      }
    }
    report({ 'random steps': ROUNDS * LENGTH, faults: 0, seed })
  },
  TIMEOUT_MS,
)

const CHECK_EVERY_S = SOAK > 1 ? 900 : 1800

/** A member posts at `from`; returns the number of digests for ana until `to`, checking regularly. */
const digestsBetween = async (scene: Scene, from: string, to: string): Promise<number> => {
  const { world, ana, ben } = scene
  const round = async () => {
    await world.app.digests.run()
    await world.runPendingJobs()
  }
  goTo(scene, from)
  await round()
  await post(scene, `At ${from}`, ben)
  const before = mailsTo(world, ana, DIGEST)
  while (world.clock.now() < new Date(to)) {
    world.clock.advance(CHECK_EVERY_S)
    await round()
  }
  return mailsTo(world, ana, DIGEST) - before
}

const goTo = ({ world }: Scene, moment: string) => world.clock.advance((Date.parse(moment) - world.clock.now().getTime()) / 1000)

test(
  'daylight saving changes: one digest a day, each post on its day, one visit a day',
  async () => {
    const scene = await begin()
    const { world, boss, ana, ben } = scene
    await boss.raw('PUT', '/settings', { timezone: 'Europe/Berlin' })
    await boss.raw('POST', '/admin/email-settings', { daily_digest_time: '02:30' })
    await ana.api.notifications.savePreferences({ username: 'me', digest_frequency: 'daily' })
    await world.runPendingJobs()
    const visits = async () => {
      await ben.raw('GET', '/profile/me')
      await world.app.presence.flush()
      await world.runPendingJobs()
      const [row] = await runText<{ n: number }>(
        world.app.services.database.read,
        `select count(*) as n from points_ledger where user_id = $1 and kind = 'daily_login' and day = '2026-10-25'`,
        [ben.id],
      )
      return Number(row?.n)
    }

    expect(await digestsBetween(scene, '2026-03-28T22:00:00Z', '2026-03-29T20:00:00Z')).toBe(1)
    expect(await digestsBetween(scene, '2026-10-24T21:30:00Z', '2026-10-25T00:00:00Z')).toBe(0)
    // 02:30 local time, first and second occurrence.
    expect(await digestsBetween(scene, '2026-10-25T00:20:00Z', '2026-10-25T00:31:00Z')).toBe(1)
    expect(await visits()).toBe(1)
    expect(await digestsBetween(scene, '2026-10-25T01:20:00Z', '2026-10-25T22:00:00Z')).toBe(0)
    goTo(scene, '2026-10-25T22:30:00Z')
    expect(await visits()).toBe(1)
    await post(scene, 'In the last hour of 25', ben)
    goTo(scene, '2026-10-25T23:30:00Z')
    await post(scene, 'On the next day', ben)
    const { data } = await boss.api.analytics.overviewActivity({ date_from: '2026-10-24', date_to: '2026-10-26' })
    expect(data.map(({ date, posts }) => [date, posts])).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 3],
      ['2026-10-26', 1],
    ])
    expect(await faultsOf(scene, new Set())).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'a leap day is valid, and an invalid date is not',
  async () => {
    const scene = await begin()
    const { world, ana, boss } = scene
    goTo(scene, '2028-02-28T23:00:00Z')
    await turn(world)
    const plan29 = (scheduled_at: string) => ana.raw('POST', '/feeds', { message: 'x', status: 'scheduled', scheduled_at })
    expect((await plan29('2029-02-29 10:00:00')).status).toBe(400)
    const { body } = await plan29('2028-02-29 10:00:00')
    scene.planned.push({ id: body.data.id, at: '2028-02-29 10:00:00' })
    await move(scene, 2 * HOUR)
    await post(scene, 'On the day')
    expect(nowOf(world.clock).slice(0, 10)).toBe('2028-02-29')
    await move(scene, 10 * HOUR)
    expect(await misplanned(scene)).toEqual([])
    await move(scene, DAY)
    const { data } = await boss.api.analytics.overviewActivity({ date_from: '2028-02-28', date_to: '2028-03-01' })
    expect(data.map(({ date, posts }) => [date, posts])).toEqual([
      ['2028-02-28', 0],
      ['2028-02-29', 2],
      ['2028-03-01', 0],
    ])
    expect(await faultsOf(scene, new Set())).toEqual([])
  },
  TIMEOUT_MS,
)

describe('controls: the checks detect', () => {
  test('a job that waits for a wrong clock, a repeated job, an early or lost schedule, a row missing on a page', async () => {
    const scene = await begin()
    const { world } = scene
    const meddle = (sql: string, values: (string | number)[] = []) => world.app.services.database.write((db) => runText(db, sql, values))
    await post(scene, 'One')
    await plan(scene, HOUR)
    await plan(scene, 2 * HOUR)
    await move(scene, HOUR)
    expect(await faultsOf(scene, new Set())).toEqual([])
    const [first, second] = scene.planned as [Scene['planned'][number], Scene['planned'][number]]

    const copy = 'user_id, action_type, object_id, object_type, created_at'
    await meddle(`insert into activities (${copy}) select ${copy} from activities where object_id = $1 and action_type = 'post_created'`, [
      first.id,
    ])
    await meddle(`update feeds set status = 'published', published_at = $2 where id = $1`, [second.id, nowIn(scene)])
    expect(await misplanned(scene)).toEqual([`${first.at}: told 2 times`, expect.stringMatching(/: out at /), `${second.at}: told 0 times`])
    await meddle(`update feeds set status = 'draft' where id = $1`, [first.id])
    expect(await misplanned(scene)).toEqual(expect.arrayContaining([expect.stringMatching(/: draft at /)]))

    await meddle(
      `insert into jobs (name, outgoing, payload, run_at, created_at) values ('accounts.mail_welcome', 1, '{}', '2026-03-11 10:00:00', '2026-03-10 10:00:00')`,
    )
    expect(await stuck(scene)).toEqual(['accounts.mail_welcome until 2026-03-11 10:00:00'])
    const walked = new Map([['latest by pages', [3, 2, 2]]])
    expect(gapsIn(walked, [1, 2, 3])).toEqual(['latest by pages: 1 twice', 'latest by pages: 1 of 3 missing'])
  })
})
