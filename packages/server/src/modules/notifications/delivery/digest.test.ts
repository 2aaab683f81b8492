import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { type Mailbox, type ReadMail, startMailbox } from '#test/mailbox.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { nowOf, parseTimestamp } from '../../../core/clock.ts'
import { type SettingChanges, saveSettings } from '../../settings/index.ts'
import { createDigestScheduler } from './digest-scheduler.ts'

const DAY = 24 * 3600

let mailbox: Mailbox
let world: World
let ben: Member
beforeAll(async () => {
  mailbox = await startMailbox()
  world = await createWorld({ env: { LYCEUM_SMTP_URL: mailbox.url } })
  ben = await world.member({ username: 'ben', displayName: 'Ben Okafor' })
  await ben.api.notifications.savePreferences({ username: 'me', digest_frequency: 'never' })
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
})

let made = 0
let ana: Member
beforeEach(async () => {
  made += 1
  await until('12:00')
  await world.app.write(null, ({ db }) => db.deleteFrom('feeds').execute())
  ana = await world.member({ username: `ana${made}`, displayName: 'Ana Lima' })
  await world.runPendingJobs()
  await mailbox.take()
})

const save = (changes: SettingChanges) => world.app.write(null, (ctx) => saveSettings(ctx, changes))
const prefer = async (digest_frequency: 'daily' | 'weekly' | 'never', who = ana) => {
  await who.api.notifications.savePreferences({
    username: 'me',
    digest_frequency,
    email_notifications: { new_comment: false, new_reaction: false, new_follower: false, mention: false, space_invite: false },
  })
  await world.runPendingJobs()
}
const post = async (body: Record<string, unknown> = {}, who = ben) =>
  (await who.api.feeds.create({ message: 'Bring what is still in pots.', title: 'First frost', ...body })).data.id

/** Moves the clock to the next occurrence of the time (UTC), optionally on a weekday (1: Monday). */
const until = async (time: string, weekday?: number) => {
  const day = (offset: number) =>
    new Date(`${new Date(world.clock.now().getTime() + offset * DAY * 1000).toISOString().slice(0, 10)}T${time}:00Z`)
  let offset = 0
  while (day(offset) <= world.clock.now() || (weekday !== undefined && day(offset).getUTCDay() !== weekday)) offset += 1
  world.clock.advance((day(offset).getTime() - world.clock.now().getTime()) / 1000)
}
const round = async (who = ana): Promise<ReadMail[]> => {
  await world.app.digests.run()
  await world.runPendingJobs()
  return mailbox.take(who.email)
}
const rowOf = (who: Member) =>
  world.app.services.database.read.selectFrom('digest_schedules').selectAll().where('user_id', '=', who.id).executeTakeFirst()
const digestJobs = async () =>
  (await world.app.services.database.read.selectFrom('jobs').select('payload').where('name', '=', 'delivery.digest').execute()).map(
    ({ payload }) => (JSON.parse(payload) as { user_id: number }).user_id,
  )

describe('schedule', () => {
  test('is weekly on Monday at eight by default', async () => {
    await post()
    await until('07:59', 1)
    expect(await round()).toEqual([])
    await until('08:00')
    expect((await round()).map(({ mail }) => mail.subject)).toEqual([expect.stringMatching(/^Your week at Lyceum · \d+ \w+$/)])
    expect(await round()).toEqual([])
    await post()
    await until('08:00', 0)
    expect(await round()).toEqual([])
    await until('08:00', 1)
    expect(await round()).toHaveLength(1)
  })

  test('daily at eight in the community’s time zone, once changed', async () => {
    await save({ timezone: 'Asia/Tokyo' })
    await prefer('daily')
    await post()
    await until('22:59')
    expect(await round()).toEqual([])
    await until('23:00')
    expect((await round()).map(({ mail }) => mail.subject)).toEqual([expect.stringMatching(/^Your day at Lyceum/)])
    await save({ timezone: 'UTC' })
  })

  test('never, and weekly again once the member changes the preference back', async () => {
    await prefer('never')
    await post()
    await until('08:00', 1)
    expect(await round()).toEqual([])
    await prefer('daily')
    await post()
    await until('08:00')
    expect(await round()).toHaveLength(1)
    await post()
    // The job is already enqueued when the member changes the preference.
    await until('08:00')
    await world.app.digests.run()
    await prefer('never')
    expect(await round()).toEqual([])
  })

  test('the community’s setting is the default', async () => {
    await save({ digest_frequency: 'never' })
    await post()
    await until('08:00', 1)
    expect(await round()).toEqual([])
    await save({ digest_frequency: 'weekly', enable_email_notifications: false })
    await post()
    await until('08:00', 1)
    expect(await round()).toEqual([])
    await save({ enable_email_notifications: true })
  })

  test('sends a single digest after days of downtime', async () => {
    await prefer('daily')
    await post()
    await until('08:00')
    world.clock.advance(3 * DAY)
    expect(await round()).toHaveLength(1)
    expect((await rowOf(ana))?.due_at).toBe(`${new Date(world.clock.now().getTime() + DAY * 1000).toISOString().slice(0, 10)} 08:00:00`)
    expect(await round()).toEqual([])
  })

  test('sends none to members who were inactive for a year, are suspended or have no address', async () => {
    await prefer('daily')
    await post()
    const change = (values: object, who = ana) =>
      world.app.write(null, ({ db }) => db.updateTable('users').set(values).where('id', '=', who.id).execute())
    const daysAgo = (days: number) => new Date(world.clock.now().getTime() - days * DAY * 1000).toISOString().slice(0, 19).replace('T', ' ')
    await until('08:00')
    await change({ last_activity: daysAgo(366) })
    expect(await round()).toEqual([])
    await change({ last_activity: daysAgo(360), status: 'suspended' })
    await until('08:00')
    expect(await round()).toEqual([])
    await change({ status: 'active', email: 'nowhere' })
    await until('08:00')
    expect(await round()).toEqual([])
    await change({ email: ana.email })
    await post()
    await until('08:00')
    expect(await round()).toHaveLength(1)
  })
})

describe('content', () => {
  test('unread notifications, popular posts with the member’s spaces first, and counts of new posts', async () => {
    await prefer('daily')
    const garden = await makeSpace(world, { members: [ana, ben] })
    const elsewhere = await makeSpace(world, { members: [ben] })
    const own = await post({ title: 'Mine' }, ana)
    await ben.api.comments.create({ feed_id: own, comment: `Well *said*, @${ana.username}` })
    await post({ title: 'Quiet', space_id: garden.id })
    const loud = await post({ title: 'Loud', space_id: garden.id })
    await ana.api.reactions.toFeed({ feed_id: loud, type: 'like' })
    const famous = await post({ title: 'Famous', space_id: elsewhere.id })
    for (const text of ['Oh', 'Indeed']) await ben.api.comments.create({ feed_id: famous, comment: text })
    await world.runPendingJobs()
    await until('08:00')
    const [got] = await round()
    const { text = '', html = '' } = got!.mail
    expect(text).toContain('Hello Ana Lima, here is what you may have missed')
    for (const part of [text, html]) {
      expect(part).toContain('Ben Okafor mentioned you in a comment on “Mine”')
      expect(part).toContain('Well said, @')
      expect(part.indexOf('Loud')).toBeLessThan(part.indexOf('Quiet'))
      expect(part.indexOf('Quiet')).toBeLessThan(part.indexOf('Famous'))
      expect(part).toContain('2 new posts')
      expect(part).toContain(`/spaces/${garden.slug}`)
      expect(part).toContain('Notification settings')
    }
    expect(text).not.toMatch(/^\* Mine$/m)
    expect(got?.headers.get('list-unsubscribe')).toMatch(/\/unsubscribe\/\d+\.digest\./)
    expect(got?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = /<([^>]+)>/.exec(got?.headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
    expect((await fetch(url, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status).toBe(200)
    expect((await ana.api.notifications.preferences({ username: 'me' })).data.digest_frequency).toBe('never')
  })

  test('no mail without content, and nothing is sent twice', async () => {
    await prefer('daily')
    await until('08:00')
    expect(await round()).toEqual([])
    await post({ title: 'Once' })
    await until('08:00')
    expect((await round())[0]?.mail.text).toContain('Once')
    await until('08:00')
    expect(await round()).toEqual([])
    await post({ title: 'Mine' }, ana)
    await until('08:00')
    expect(await round()).toEqual([])
  })

  test('nothing the member may no longer see when it is sent', async () => {
    await prefer('daily')
    const secret = await makeSpace(world, { privacy: 'secret', members: [ana, ben] })
    const privately = await makeSpace(world, { privacy: 'private', members: [ben] })
    const own = await post({ title: 'Zebra own', space_id: secret.id }, ana)
    await ben.api.comments.create({ feed_id: own, comment: 'Zebra comment' })
    await post({ title: 'Zebra secret', space_id: secret.id })
    await post({ title: 'Zebra private', space_id: privately.id })
    await post({ title: 'Zebra draft', status: 'draft' })
    await post({ title: 'Zebra alone', privacy: 'private' })
    await ben.api.feeds.remove({ feed_id: await post({ title: 'Zebra deleted' }) })
    await post({ title: 'Plain' })
    await world.runPendingJobs()
    await until('08:00')
    // The digest is already enqueued when the member leaves.
    await world.app.digests.run()
    await leaveSpace(world, secret as Space, ana)
    await world.runPendingJobs()
    const [got] = await mailbox.take(ana.email)
    expect(got?.mail.text).toContain('Plain')
    expect(got?.mail.text).not.toContain('Zebra')
    expect(got?.mail.html).not.toContain('Zebra')
    expect(got?.mail.text).not.toContain(secret.slug)
  })

  test('at most five posts, and the newest notifications', async () => {
    await prefer('daily')
    for (let i = 0; i < 8; i++) {
      await post({ title: `Post ${i}` })
      await ben.api.comments.create({ feed_id: await post({ title: `Own ${i}` }, ana), comment: 'Hm' })
    }
    await world.runPendingJobs()
    await until('08:00')
    const text = (await round())[0]?.mail.text ?? ''
    expect(text.match(/^\* Post \d$/gm)).toHaveLength(5)
    expect(text.match(/^\* Ben Okafor commented/gm)).toHaveLength(6)
    expect(text).toContain('… and 2 more')
    expect(text).toContain('8 unread notifications')
  })
})

test('several instances running concurrently add one job per member', async () => {
  await prefer('daily')
  const others = await Promise.all(Array.from({ length: 5 }, () => world.member()))
  await world.runPendingJobs()
  for (const who of others) await prefer('daily', who)
  await until('08:00')
  const { services, write } = world.app
  await Promise.all(Array.from({ length: 4 }, () => createDigestScheduler(services, write).run()))
  const jobs = await digestJobs()
  for (const { id } of [ana, ...others]) expect(jobs.filter((userId) => userId === id)).toHaveLength(1)
  await world.runPendingJobs()
  expect(await digestJobs()).toEqual([])
})

test('a digest job that runs twice sends one mail; a failed one is retried', async () => {
  await prefer('daily')
  await post()
  await until('08:00')
  await world.app.digests.run()
  const { database } = world.app.services
  const jobs = await database.read.selectFrom('jobs').selectAll().where('name', '=', 'delivery.digest').execute()
  const job = jobs.find(({ payload }) => payload.includes(`"user_id":${ana.id},`))!
  mailbox.putOff(true)
  await world.runPendingJobs()
  expect(await mailbox.take(ana.email)).toEqual([])
  mailbox.putOff(false)
  world.clock.advance(60)
  await world.runPendingJobs()
  expect(await mailbox.take(ana.email)).toHaveLength(1)
  const { id: _id, ...again } = job
  await world.app.write(null, ({ db }) => db.insertInto('jobs').values(again).execute())
  await world.runPendingJobs()
  expect(await mailbox.take(ana.email)).toEqual([])
})

test('accounts created without registration are found once', async () => {
  const at = nowOf(world.app.services.clock)
  const ids = await world.app.write(null, async ({ db }) => {
    const made: number[] = []
    for (let i = 0; i < 250; i++) {
      const row = {
        username: `import${i}`,
        email: `import${i}@example.org`,
        display_name: '',
        created_at: at,
        updated_at: at,
        password_hash: null,
        last_activity: null,
      }
      made.push((await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id)
    }
    return made
  })
  await world.app.digests.run()
  const { database } = world.app.services
  const planned = await database.read.selectFrom('digest_schedules').select('due_at').where('user_id', 'in', ids).execute()
  expect(planned).toHaveLength(250)
  for (const { due_at } of planned) expect(parseTimestamp(due_at).getUTCDay()).toBe(1)
  expect(
    await world.app.services.database.read
      .selectFrom('users')
      .select('id')
      .where('id', 'not in', database.read.selectFrom('digest_schedules').select('user_id'))
      .execute(),
  ).toEqual([])
})

test.runIf(process.env.LYCEUM_TEST_DATABASE === 'sqlite')('finds due digests by index', async () => {
  await prefer('daily')
  await until('08:00')
  const writer = await world.app.services.database.write(async (db) => db)
  const plans = await plansOf(writer, () => world.app.digests.run())
  expect(plans.some(({ sql }) => sql.includes('from digest_schedules where due_at'))).toBe(true)
  expect(plans.some(({ sql }) => sql.startsWith('update digest_schedules'))).toBe(true)
  for (const { sql, steps } of plans) expect([sql, steps.filter((step) => step.startsWith('SCAN'))]).toEqual([sql, []])
})
