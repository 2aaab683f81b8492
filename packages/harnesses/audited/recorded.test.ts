import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#test/actors.ts'
import { makeStage, type Stage } from '#test/one-of-each.ts'
import { rollBackWrites } from '#test/rollback-helper.ts'
import { SOAK } from '#test/scale.ts'
import { expected, findOut } from '../permissions/matrix.ts'
import { POLICY } from '../permissions/policy.ts'
import { AUDITED } from './actions.ts'

let stage: Stage
let admin: Actor
let actions: string[] = []
beforeAll(async () => {
  stage = await makeStage()
  admin = stage.actors.find(({ standings }) => standings.includes('administrator')) as Actor
  const known = await stage.world.app.services.database.read
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  rollBackWrites(stage.world, async (db) => {
    const rows = await db
      .selectFrom('audit_log')
      .select('action')
      .where('id', '>', known?.id ?? 0)
      .execute()
    actions.push(...rows.map(({ action }) => action))
  })
}, 60_000)
afterAll(() => stage.world.close())

const RULES = new Map(Object.values(POLICY).flatMap((rules) => Object.entries(rules)))

/** Audit entries of each variant, sent by an administrator; null if it failed. */
const recordedOf = async (id: string): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {}
  for (const rule of RULES.get(id) ?? []) {
    for (const place of (rule.places ?? [undefined]).slice(0, SOAK > 1 ? undefined : 1)) {
      if (expected(rule, admin, place) !== 'through' || rule.yields) continue
      actions = []
      const { came } = await findOut(stage, id, rule, place, admin)
      if (came === 'done') found[[rule.when, place].filter(Boolean).join(', ')] = [...new Set(actions)]
    }
  }
  return found
}

/** Requests that change nothing, and so are not recorded. */
const UNCHANGED = new Set([
  'media.removePreview: private',
  'settingsPages.saveFollowers: ',
  'spaceMembers.bulkAdd: as admins, secret',
  'spaceMembers.unban: secret',
  'spaceMembers.update: to member, secret',
])

// The code that writes entries is independent of the database.
test.runIf(SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')(
  'every declared write by an administrator on objects of others leaves its audit entry',
  { timeout: 120_000 },
  async () => {
    const silent: string[] = []
    const others: string[] = []
    let variants = 0
    for (const [id, declared] of Object.entries(AUDITED)) {
      if ('none' in declared) continue
      const recorded = Object.entries(await recordedOf(id))
      if (recorded.length === 0) silent.push(`${id}: nothing was carried out`)
      for (const [variant, list] of recorded) {
        variants += 1
        if (list.length === 0 && !UNCHANGED.has(`${id}: ${variant}`)) silent.push(`${id}: ${variant}`)
        for (const action of list) if (!declared.some((one) => one === action)) others.push(`${id}: ${variant}: ${action}`)
      }
    }
    expect(silent).toEqual([])
    expect(others).toEqual([])
    expect(variants).toBeGreaterThan(90)
  },
)

test.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('control: a write without an audit entry is detected', async () => {
  const { database } = stage.world.app.services
  const { write } = database
  // Simulates a server that does not record, by deleting the entries.
  const forgetful = {
    ...database,
    write: (work: Parameters<typeof write>[0]) =>
      write.call(database, async (db) => {
        const value = await work(db)
        await db.deleteFrom('audit_log').where('action', '=', 'space.deleted').execute()
        return value
      }),
  }
  Object.assign(database, { write: forgetful.write })
  expect(Object.values(await recordedOf('spaces.remove')).flat()).toEqual([])
  Object.assign(database, { write })
  expect(Object.values(await recordedOf('spaces.remove')).flat()).toContain('space.deleted')
})
