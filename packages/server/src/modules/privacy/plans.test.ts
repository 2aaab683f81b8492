import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { makeLife } from '#test/account-deletion.ts'
import { type Plan, plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import type { WriteContext } from '../../core/context.ts'
import { eraseAccountRow, eraseIdempotentResponses } from '../accounts/index.ts'
import { eraseActivities } from '../activities/index.ts'
import { eraseBookmarks } from '../bookmarks/index.ts'
import { eraseComments } from '../comments/index.ts'
import { detachCourses } from '../courses/index.ts'
import { eraseFeeds, eraseVotes } from '../feeds/index.ts'
import { eraseSomeFollows } from '../followers/index.ts'
import { erasePoints } from '../leaderboard/index.ts'
import { eraseMedia } from '../media/index.ts'
import { eraseReports } from '../moderation/index.ts'
import { eraseDevices, eraseNotifications, erasePreferences } from '../notifications/index.ts'
import { eraseReactions } from '../reactions/index.ts'
import { disownSpaces, leaveSomeSpaces } from '../spaces/index.ts'
import { writeArchive } from './export-archive.ts'
import { sweepExports } from './export-jobs.ts'

let world: World
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

/** Short lists of ids may be scanned. */
const FEW = /^SCAN (\w+-subquery|SUBQUERY|b|o|CONSTANT ROW|LIST|w|l)\b|^SCAN \(subquery/

/** A walk over all rows after an id, whoever owns them. */
const WALK = /INTEGER PRIMARY KEY \(rowid>/

const expectGood = (plans: readonly Plan[]) => {
  expect(plans.length).toBeGreaterThan(0)
  for (const { sql, steps } of plans)
    expect({ sql, scans: steps.filter((step) => (step.startsWith('SCAN') && !FEW.test(step)) || WALK.test(step)) }).toEqual({
      sql,
      scans: [],
    })
}

it.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('data of a member is found by index', async () => {
  const { member, feed } = await makeLife(world, admin, 'plansword')
  const { read } = world.app.services.database
  expectGood(await plansOf(read, () => writeArchive(world.app.services, member.id, join(inject('scratch'), `plans-${feed.id}.zip`))))
  expectGood(await plansOf(read, () => member.api.privacy.exports()))
  const writer = await world.app.services.database.write(async (db) => db)
  const forgets: readonly ((ctx: WriteContext) => Promise<unknown>)[] = [
    (ctx) => eraseSomeFollows(ctx, member.id, 100),
    (ctx) => leaveSomeSpaces(ctx, member.id, 100),
    (ctx) => eraseReactions(ctx, member.id, 100),
    (ctx) => eraseBookmarks(ctx, member.id, 100),
    (ctx) => eraseVotes(ctx, member.id, 100),
    (ctx) => eraseComments(ctx, member.id, 'unseen', 100),
    (ctx) => eraseComments(ctx, member.id, 'all', 100),
    (ctx) => eraseFeeds(ctx, member.id, 'unseen', 100),
    (ctx) => eraseFeeds(ctx, member.id, 'all', 100),
    (ctx) => eraseMedia(ctx, member.id, 100),
    (ctx) => eraseReports(ctx, member.id, 100),
    (ctx) => eraseActivities(ctx, member.id, 100),
    (ctx) => eraseNotifications(ctx, member.id, 100),
    (ctx) => disownSpaces(ctx, member.id, 100),
    (ctx) => detachCourses(ctx, member.id, 100),
    (ctx) => eraseIdempotentResponses(ctx, member.id, 100),
    (ctx) => erasePoints(ctx, member.id, 100),
    (ctx) => eraseDevices(ctx, member.id),
    (ctx) => erasePreferences(ctx, member.id),
    (ctx) => eraseAccountRow(ctx, member.id),
  ]
  for (const run of forgets) expectGood(await plansOf(writer, () => world.app.write(null, run)))
  expectGood(await plansOf(writer, () => sweepExports(world.app.services)))
})
