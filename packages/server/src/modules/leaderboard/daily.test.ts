import { afterEach, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { earnedBy } from '#test/points.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'

let world: World
afterEach(() => world.close())

const visits = (who: Member) =>
  earnedBy(world, who, async () => {
    await who.raw('GET', '/profile/me')
    await world.app.presence.flush()
  })
const HOUR = 3600
const later = async (who: Member, seconds: number) => {
  world.clock.advance(seconds)
  return visits(who)
}

test('the first request of a day earns 5, and the seventh day in a row 25 more', async () => {
  world = await createWorld({ start: '2026-03-10T12:00:00Z' })
  const ana = await world.member()
  expect([await visits(ana), await later(ana, HOUR)]).toEqual([5, 0])
  const earned: number[] = []
  for (let day = 2; day <= 15; day++) earned.push(await later(ana, 24 * HOUR))
  expect(earned).toEqual([5, 5, 5, 5, 5, 30, 5, 5, 5, 5, 5, 5, 30, 5])
  expect(await later(ana, 48 * HOUR)).toBe(5)
  for (let day = 2; day <= 6; day++) expect(await later(ana, 24 * HOUR)).toBe(5)
  expect(await later(ana, 24 * HOUR)).toBe(30)
  expect((await ana.api.leaderboard.list({})).current_user?.achievements.map(({ title }) => title)).toEqual([
    'A week without a break',
    'Member',
  ])
})

test('requests just before and just after midnight count for both days', async () => {
  world = await createWorld({ start: '2026-03-10T23:59:45Z' })
  const ana = await world.member()
  expect([await visits(ana), await later(ana, 30), await later(ana, 30)]).toEqual([5, 5, 0])
})

test('a job processed on the next day counts for the day of the event', async () => {
  world = await createWorld({ start: '2026-03-10T23:59:45Z' })
  const admin = await world.member({ role: 'admin' })
  const ana = await world.member()
  const { courseId, lessons } = await makeSchool(admin, { lessons: 1, students: [ana] })
  const made = (await admin.raw('POST', '/spaces', { title: 'Garden' })).body.data
  await ana.raw('POST', `/spaces/${made.slug}/join`)
  await ana.raw('POST', `/courses/${courseId}/lessons/${lessons[0]}/complete`)
  world.clock.advance(HOUR)
  await world.runPendingJobs()
  const rows = await world.app.services.database.read.selectFrom('points_ledger').select(['kind', 'day']).orderBy('kind').execute()
  expect(rows).toEqual([
    { kind: 'course_completed', day: '2026-03-10' },
    { kind: 'space_joined', day: '2026-03-10' },
  ])
})

test('visits of many days that are processed together earn the same', async () => {
  world = await createWorld({ start: '2026-03-20T12:00:00Z' })
  const [ana, ben] = [await world.member(), await world.member()]
  const wasHere = (who: Member, day: number) => ({ user_id: who.id, seen_at: `2026-03-${String(day).padStart(2, '0')} 12:00:00` })
  const visitAll = () =>
    world.app.write(null, async (ctx) => {
      for (const day of [15, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10, 11, 12, 13, 14]) await ctx.emit('user.active', wasHere(ana, day))
      for (const day of [1, 2, 3, 5, 6, 7, 8]) await ctx.emit('user.active', wasHere(ben, day))
    })
  const earned = await earnedBy(world, ben, async () => expect(await earnedBy(world, ana, visitAll)).toBe(15 * 5 + 2 * 25))
  expect(earned).toBe(7 * 5)
  expect(await earnedBy(world, ana, visitAll)).toBe(0)
})

test('days are in the time zone of the community', async () => {
  world = await createWorld({ start: '2026-03-10T22:30:00Z' })
  await world.app.write(null, (ctx) => saveSettings(ctx, { timezone: 'Asia/Tokyo' }))
  const ana = await world.member()
  // 07:30 on the 11th in Tokyo.
  expect(await visits(ana)).toBe(5)
  expect(await later(ana, 2 * HOUR)).toBe(0)
  expect(await later(ana, 14 * HOUR)).toBe(0)
  expect(await later(ana, HOUR)).toBe(5)
  const rows = await world.app.services.database.read.selectFrom('points_ledger').select('day').orderBy('id').execute()
  expect(rows.map(({ day }) => day)).toEqual(['2026-03-11', '2026-03-12'])
})

test('weeks across daylight saving changes count as weeks', async () => {
  world = await createWorld({ start: '2026-03-25T22:30:00Z' })
  await world.app.write(null, (ctx) => saveSettings(ctx, { timezone: 'Europe/Berlin' }))
  const ana = await world.member()
  const earned = [await visits(ana)]
  // 23:30, and from the 29th on 00:30 of the next day: one day is skipped.
  for (let day = 2; day <= 8; day++) earned.push(await later(ana, 24 * HOUR))
  const rows = await world.app.services.database.read
    .selectFrom('points_ledger')
    .select('day')
    .where('kind', '=', 'daily_login')
    .orderBy('id')
    .execute()
  expect(rows.map(({ day }) => day.slice(5))).toEqual(['03-25', '03-26', '03-27', '03-28', '03-30', '03-31', '04-01', '04-02'])
  expect(earned).toEqual([5, 5, 5, 5, 5, 5, 5, 5])
})
