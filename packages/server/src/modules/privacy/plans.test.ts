import { join } from 'node:path'
import { DELETION_CONTENTS } from '@lyceum/contract'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { makeLife } from '#test/account-deletion.ts'
import { type Plan, plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import type { WriteContext } from '../../core/context.ts'
import { eraseAccountRow } from '../accounts/index.ts'
import { STEPS } from './deletion.ts'
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
const FEW = /^SCAN (\w+-subquery|SUBQUERY|b|o|CONSTANT ROW|LIST|w|l|e VIRTUAL TABLE)\b|^SCAN \(subquery/

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
    ...STEPS.flatMap(({ run }) => DELETION_CONTENTS.map((content) => (ctx: WriteContext) => run(ctx, member.id, content))),
    (ctx) => eraseAccountRow(ctx, member.id),
  ]
  for (const run of forgets) expectGood(await plansOf(writer, () => world.app.write(null, run)))
  expectGood(await plansOf(writer, () => sweepExports(world.app.services)))
})
