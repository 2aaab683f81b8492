import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Instance, instanceOf, openInstance, SHARED_SECRET } from '#test/instances.ts'
import { PASSWORD, signIn } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { DatabaseUnavailable, lockRow, runText } from '../db/index.ts'
import { dayStarts } from '../modules/settings/index.ts'
import { createLastSeenTracker } from './last-seen.ts'

/** More than share a transaction. */
const MANY = 210
const SOON = { timeout: 60_000, interval: 20 }
/** A few seconds, unless the machine has much else to do. */
const TIMEOUT_MS = 120_000

const shared = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'

/** So many at once do not wait for a connection for long, however busy the machine is. */
const AT_ONCE = 10
const inGroups = async <T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  for (let at = 0; at < list.length; at += AT_ONCE) results.push(...(await Promise.all(list.slice(at, at + AT_ONCE).map(work))))
  return results
}

let world: World
let here: Instance
let people: readonly Member[]
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_SECRET: SHARED_SECRET } })
  here = instanceOf(world)
  people = await inGroups(Array.from({ length: MANY }), () => world.member())
}, TIMEOUT_MS)
afterAll(() => world.close())

const read = () => world.app.services.database.read
const visit = async (at: Instance, who: readonly Member[]) => {
  for (const { status } of await inGroups(who, (one) => at.get(one, '/profile/me'))) expect(status).toBe(200)
}
const seen = async (who: readonly Member[]) => {
  const rows = await read().selectFrom('users').select(['id', 'last_activity']).execute()
  return who.map((one) => rows.find(({ id }) => id === one.id)?.last_activity)
}
const used = async (who: readonly Member[]) => {
  const rows = await read().selectFrom('application_passwords').select(['user_id', 'last_used_at', 'last_ip']).execute()
  return who.map((one) => rows.find(({ user_id }) => user_id === one.id)?.last_used_at)
}
/** How many events tell that each of them was active, and who caused them. */
const events = async (who: readonly Member[]) => {
  const rows = await read().selectFrom('events').select(['actor_id', 'payload']).where('name', '=', 'user.active').execute()
  for (const { actor_id, payload } of rows) expect(JSON.parse(payload).user_id).toBe(actor_id)
  return who.map((one) => rows.filter(({ actor_id }) => actor_id === one.id).length)
}
const all = <T>(value: T, who: readonly Member[] = people): T[] => who.map(() => value)
const nextDay = () => world.clock.advance(24 * 3600)
const now = () => world.clock.now().toISOString().slice(0, 19).replace('T', ' ')

test('many concurrent requests are recorded, each account with one event a day', { timeout: TIMEOUT_MS }, async () => {
  await visit(here, people)
  await world.app.presence.flush()
  expect([await seen(people), await used(people), await events(people)]).toEqual([all(now()), all(now()), all(1)])
  world.clock.advance(60)
  await visit(here, people)
  await world.app.presence.flush()
  expect([await seen(people), await used(people), await events(people)]).toEqual([all(now()), all(now()), all(1)])
  const pending = await read()
    .selectFrom('pending_events as p')
    .innerJoin('events as e', 'e.id', 'p.event_id')
    .select('e.id')
    .where('e.name', '=', 'user.active')
    .execute()
  expect(pending.length).toBe(MANY)
})

test('an account deleted in between is skipped, the others are recorded', { timeout: TIMEOUT_MS }, async () => {
  nextDay()
  const [gone, ...others] = people.slice(0, 20) as [Member, ...Member[]]
  const before = await events([gone, ...others])
  await visit(here, [gone, ...others])
  await world.app.write(null, ({ db }) =>
    db.updateTable('users').set({ status: 'deleted', last_activity: null }).where('id', '=', gone.id).execute(),
  )
  const [earlier] = await used([gone])
  await world.app.presence.flush()
  expect([await seen([gone]), await used([gone]), await events([gone])]).toEqual([[null], [earlier], [before[0]]])
  expect([await seen(others), await events(others)]).toEqual([all(now(), others), before.slice(1).map((count) => count + 1)])
  people = people.slice(1)
})

test('last activity never decreases; each use extends a session; two credentials of a person count as one visit a day', async () => {
  nextDay()
  const [ana, ben] = people as [Member, Member]
  const later = new Date(world.clock.now().getTime() + 300_000).toISOString().slice(0, 19).replace('T', ' ')
  const password_hash = await world.app.services.passwords.hashPassword(PASSWORD)
  await world.app.write(null, async ({ db }) => {
    await db.updateTable('users').set({ last_activity: later }).where('id', '=', ben.id).execute()
    await db.updateTable('users').set({ password_hash }).where('id', '=', ana.id).execute()
  })
  const before = await events([ana, ben])
  const browser = await signIn(world, ana.username)
  world.clock.advance(5)
  await browser.raw('GET', '/profile/me')
  await visit(here, [ana, ben])
  await world.app.presence.flush()
  expect([await seen([ana, ben]), await used([ana, ben])]).toEqual([[now(), later], all(now(), [ana, ben])])
  expect(await events([ana, ben])).toEqual([(before[0] ?? 0) + 1, before[1]])
  const session = await read().selectFrom('sessions').selectAll().where('user_id', '=', ana.id).executeTakeFirstOrThrow()
  const end = new Date(world.clock.now().getTime() + 30 * 24 * 3600 * 1000).toISOString().slice(0, 19).replace('T', ' ')
  expect([session.last_used_at, session.expires_at]).toEqual([now(), end])
})

test('times recorded by a clock that was ahead delay nobody', async () => {
  nextDay()
  const [ana] = people as [Member]
  await world.app.write(null, ({ db }) =>
    db.updateTable('users').set({ last_activity: '2031-01-01 00:00:00' }).where('id', '=', ana.id).execute(),
  )
  const [before = 0] = await events([ana])
  await visit(here, [ana])
  await world.app.presence.flush()
  expect([await seen([ana]), await events([ana])]).toEqual([[now()], [before + 1]])
})

test('a failure for one account does not affect the others', async () => {
  nextDay()
  const unlucky = people.at(-1) as Member
  const others = people.slice(-20, -1)
  const condition = `new.id = ${unlucky.id} and new.last_activity > '2026'`
  const statements = shared
    ? [
        `create function refuse_one() returns trigger language plpgsql as $b$ begin raise 'on purpose'; end $b$`,
        `create trigger refuse_one before update on users for each row when (${condition}) execute function refuse_one()`,
      ]
    : [`create trigger refuse_one before update on users when ${condition} begin select raise(abort, 'on purpose'); end`]
  await world.app.write(null, async ({ db }) => {
    for (const text of statements) await runText(db, text, [])
  })
  const before = await seen([unlucky])
  await visit(here, [...others, unlucky])
  await world.app.presence.flush()
  expect([await seen(others), await seen([unlucky])]).toEqual([all(now(), others), before])
  await world.app.write(null, ({ db }) => runText(db, `drop trigger refuse_one${shared ? ' on users' : ''}`, []))
})

test('uses wait while the database is unavailable, and are recorded afterwards', { timeout: TIMEOUT_MS }, async () => {
  nextDay()
  let away = true
  let tries = 0
  const presence = createLastSeenTracker(
    world.app.services,
    async (by, work) => {
      tries += 1
      if (away) throw new DatabaseUnavailable(new Error('away'))
      return world.app.write(by, work)
    },
    dayStarts,
  )
  const rows = await read().selectFrom('application_passwords').select(['id', 'user_id']).execute()
  const idOf = (one: Member) => rows.find(({ user_id }) => user_id === one.id)?.id ?? 0
  const actorOf = ({ id, username }: Member) => ({ id, username, role: 'member', permissions: new Set<never>() }) as const
  for (const one of people.slice(2)) {
    const actor = { ...actorOf(one), managedSpaces: null, createdAt: '', sessionId: null }
    presence.seen({ actor, kind: 'application-password', credentialId: idOf(one) }, '192.0.2.1')
  }
  await presence.flush()
  expect(tries).toBe(1)
  away = false
  await presence.stop()
  expect(await seen(people.slice(2))).toEqual(all(now(), people.slice(2)))
})

describe.runIf(shared)('with two instances', () => {
  let there: Instance
  beforeAll(async () => {
    there = await openInstance(world, {})
  })
  afterAll(() => there.app.close())

  test('concurrent batches record everybody, with one event each', { timeout: TIMEOUT_MS }, async () => {
    const some = people.slice(2, 60)
    for (let round = 0; round < 2; round++) {
      nextDay()
      const before = await events(some)
      await visit(here, some)
      await visit(there, [...some].reverse())
      await Promise.all([here, there].map(({ app }) => app.presence.flush()))
      expect([await seen(some), await events(some)]).toEqual([all(now(), some), before.map((count) => count + 1)])
    }
  })

  test('accounts whose rows are locked do not delay the others', { timeout: TIMEOUT_MS }, async () => {
    nextDay()
    const [held, ...others] = people.slice(2, 20) as [Member, ...Member[]]
    const before = await seen([held])
    await visit(here, [held, ...others])
    let flushed: Promise<void> | undefined
    await world.app.write(null, async ({ db }) => {
      await lockRow(db, 'users', held.id)
      flushed = world.app.presence.flush()
      await vi.waitFor(async () => expect(await seen(others)).toEqual(all(now(), others)), SOON)
      expect(await seen([held])).toEqual(before)
    })
    await flushed
    expect(await seen([held, ...others])).toEqual(all(now(), [held, ...others]))
  })
})
