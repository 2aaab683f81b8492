import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { envOf, lyceumProcess } from '#test/command.ts'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { type Instance, instanceOf, openInstance, SHARED_SECRET } from '#test/instances.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { runText } from '../db/index.ts'

/** On SQLite there is one instance. */
const shared = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
const hasRedis = inject('redisUrl') !== undefined
const TIMEOUT_MS = 120_000
/** Something is cached again within this. */
const SOON = { timeout: 10_000, interval: 10 }

const ORIGIN = { LYCEUM_URL: 'https://community.example' }

interface Pair {
  readonly world: World
  readonly here: Instance
  readonly there: Instance
  readonly ana: Member
  readonly close: () => Promise<void>
}

const openPair = async (envHere: Record<string, string> = {}, envThere = envHere): Promise<Pair> => {
  const world = await createWorld({ env: { LYCEUM_SECRET: SHARED_SECRET, ...ORIGIN, ...envHere } })
  const there = await openInstance(world, { ...ORIGIN, ...envThere })
  const here = instanceOf(world)
  return {
    world,
    here,
    there,
    ana: await world.member(),
    close: async () => {
      await there.app.close()
      await world.close()
    },
  }
}

const hitsOf = ({ app }: Instance) =>
  app.services.caches
    .stats()
    .caches.filter(({ name }) => name === 'feed-json' || name === 'shared-responses')
    .reduce((sum, { hits }) => sum + hits, 0)

/** Asks until the answer came from memory. */
const untilCached = (instance: Instance, who: Member, id: number) =>
  expect
    .poll(async () => {
      const before = hitsOf(instance)
      await instance.get(who, `/feeds/${id}/by-id`)
      return hitsOf(instance) > before
    }, SOON)
    .toBe(true)

const rename = (instance: Instance, who: Member, display_name: string) =>
  instance.app.write(null, ({ db }) => db.updateTable('users').set({ display_name }).where('id', '=', who.id).execute())
const authorAt = async (instance: Instance, who: Member, id: number) =>
  (await instance.get(who, `/feeds/${id}/by-id`)).body.data?.xprofile?.display_name

const carriers: (readonly [string, () => Record<string, string>])[] = [
  ['the database alone', () => ({})],
  ...(hasRedis ? ([['Redis', () => ({ LYCEUM_REDIS_URL: inject('redisUrl') ?? '' })]] as const) : []),
]

describe.runIf(shared).each(carriers)('two instances with %s', (_between, env) => {
  let pair: Pair
  let space: Space
  let people: Member[]
  let bare: Instance
  beforeAll(async () => {
    pair = await openPair(env())
    bare = await openInstance(pair.world, { ...ORIGIN, ...env() }, false)
    people = [pair.ana, await pair.world.member(), await pair.world.member({ role: 'admin' })]
    space = await makeSpace(pair.world, { privacy: 'private', members: people })
  }, TIMEOUT_MS)
  afterAll(async () => {
    await bare.app.close()
    await pair.close()
  }, TIMEOUT_MS)

  it(
    'immediately show writes through either instance',
    async () => {
      const { here, there, ana } = pair
      const { data } = await ana.api.feeds.create({ message: 'Hello', title: 'One' })
      await untilCached(there, ana, data.id)
      await untilCached(here, ana, data.id)
      await rename(here, ana, 'Ana the First')
      expect(await authorAt(here, ana, data.id)).toBe('Ana the First')
      expect(await authorAt(there, ana, data.id)).toBe('Ana the First')
      await untilCached(here, ana, data.id)
      await rename(there, ana, 'Ana the Second')
      expect(await authorAt(there, ana, data.id)).toBe('Ana the Second')
      expect(await authorAt(here, ana, data.id)).toBe('Ana the Second')
    },
    TIMEOUT_MS,
  )

  it(
    'revoke permissions immediately',
    async () => {
      const { world, there } = pair
      const who = await world.member()
      const { data } = await (people[2] as Member).api.feeds.create({ message: 'Secret', space_id: space.id })
      const join = { space_id: space.id, user_id: who.id, joined_at: '2026-03-10 12:00:00', updated_at: '2026-03-10 12:00:00' }
      await world.app.write(null, ({ db }) =>
        db
          .insertInto('space_members')
          .values({ ...join, role: 'member' })
          .execute(),
      )
      await untilCached(there, who, data.id)
      await world.app.write(null, ({ db }) => db.deleteFrom('space_members').where('user_id', '=', who.id).execute())
      expect((await there.get(who, `/feeds/${data.id}/by-id`)).status).toBe(404)
      expect((await there.get(who, '/feeds')).status).toBe(200)
      await world.app.write(null, ({ db }) => db.updateTable('users').set({ status: 'suspended' }).where('id', '=', who.id).execute())
      expect((await there.get(who, '/feeds')).status).toBe(403)
    },
    TIMEOUT_MS,
  )

  it(
    'see changes of a command',
    async () => {
      const { world, there, ana } = pair
      const who = await world.member({ displayName: 'Soon gone' })
      const { data } = await ana.api.feeds.create({ message: 'Hello' })
      const said = await who.raw('POST', `/feeds/${data.id}/comments`, { comment: 'Here I was' })
      expect(said.status).toBe(201)
      await untilCached(there, ana, data.id)
      const before = (await there.get(ana, `/feeds/${data.id}/by-id`)).text
      expect(before).toContain('Soon gone')
      const done = await lyceumProcess({ ...envOf(world), LYCEUM_SECRET: SHARED_SECRET, ...env() }, ['user', 'delete', who.username])
      expect(done).toMatchObject({ code: 0 })
      expect((await there.get(ana, `/feeds/${data.id}/by-id`)).text).not.toContain('Soon gone')
    },
    TIMEOUT_MS,
  )

  it(
    'respond like a server without caches after random writes through either',
    async () => {
      const { world, here, there } = pair
      const { database } = world.app.services
      const idsOf = async (table: 'feeds' | 'comments') =>
        (await database.read.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
      const pick = <T>(list: readonly T[], n: number) => list[n % Math.max(1, list.length)]
      type Act = (through: Instance, n: number) => Promise<unknown>
      const post =
        (path: (feed: number) => string, body: (n: number) => object): Act =>
        async ({ base }, n) => {
          const who = pick(people, n) as Member
          const authorization = `Basic ${Buffer.from(`${who.username}:${who.password}`).toString('base64')}`
          const headers = { authorization, 'content-type': 'application/json' }
          const feed = pick(await idsOf('feeds'), n >> 2) ?? 0
          const answer = await fetch(base + path(feed), { method: 'POST', headers, body: JSON.stringify(body(n)) })
          expect([200, 201, 400, 403, 404], await answer.text()).toContain(answer.status)
        }
      const acts: Record<string, Act> = {
        create: post(
          () => '/feeds',
          (n) => ({ message: `word ${n}`, title: `T${n}`, space_id: n % 2 ? space.id : null }),
        ),
        reword: post(
          (id) => `/feeds/${id}`,
          (n) => ({ message: `other ${n}`, title: `U${n}` }),
        ),
        comment: post(
          (id) => `/feeds/${id}/comments`,
          (n) => ({ comment: `says ${n}` }),
        ),
        react: post(
          (id) => `/feeds/${id}/react`,
          (n) => ({ type: n % 3 ? 'like' : 'love' }),
        ),
        hide: post(
          (id) => `/feeds/${id}`,
          (n) => ({ status: n % 2 ? 'draft' : 'published' }),
        ),
        rename: (through, n) => rename(through, pick(people, n) as Member, `Name ${n}`),
        recomment: async (through, n) => {
          const id = pick(await idsOf('comments'), n)
          if (id !== undefined)
            await through.app.write(null, ({ db }) =>
              db
                .updateTable('comments')
                .set({ message: `m${n}`, message_rendered: `<p>m${n}</p>` })
                .where('id', '=', id)
                .execute(),
            )
        },
        retitle: (through, n) =>
          through.app.write(null, ({ db }) =>
            db
              .updateTable('spaces')
              .set({ title: `Space ${n}` })
              .where('id', '=', space.id)
              .execute(),
          ),
      }
      const timeless = ({ status, text }: { status: number; text: string }) =>
        `${status} ${text.replace(/"execution_time":[0-9.e+-]+/, '')}`
      const paths = async () => {
        const feeds = await idsOf('feeds')
        return ['/feeds', `/feeds?space=${space.slug}`, ...feeds.slice(-4).flatMap((id) => [`/feeds/${id}/by-id`, `/feeds/${id}/comments`])]
      }
      const readAll = async (instance: Instance) => {
        const asked = (await paths()).flatMap((path) => people.map((who) => instance.get(who, path).then(timeless)))
        return Promise.all(asked)
      }
      const step = fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.nat(1000), fc.boolean())
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20 }), async (steps) => {
          // Reads go on all the time, so that there is something to be wrong.
          let done = false
          const glance = async (instance: Instance, n: number) => instance.get(pick(people, n) as Member, pick(await paths(), n >> 2) ?? '')
          const reading = (async () => {
            for (let n = 0; !done; n += 5)
              await Promise.all([glance(here, n), glance(here, n + 7), glance(there, n + 3), glance(there, n + 9)])
          })()
          try {
            for (const [name, n, first] of steps) await acts[name]?.(first ? here : there, n)
          } finally {
            done = true
            await reading
          }
          const truth = await readAll(bare)
          const differences = async (instance: Instance) => (await readAll(instance)).filter((text, i) => text !== truth[i])
          for (const instance of [here, there]) expect(await differences(instance)).toEqual([])
        }),
        { numRuns: SOAK, endOnFailure: true },
      )
      // Both use their caches: without further writes, the same reads are hits.
      for (const instance of [here, there]) {
        await readAll(instance)
        expect(hitsOf(instance)).toBeGreaterThan(20)
      }
      expect(hitsOf(bare)).toBe(0)
    },
    TIMEOUT_MS,
  )

  it(
    'read from the database while the polling connection is down, and cache again afterwards',
    async () => {
      const { world, here, there, ana } = pair
      const { data } = await ana.api.feeds.create({ message: 'Hello' })
      await untilCached(there, ana, data.id)
      const { database } = world.app.services
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%pg_postmaster_start_time()%' and pid <> pg_backend_pid()`
      await runText(database.read, end, [])
      await rename(here, ana, 'Ana the Third')
      expect(await authorAt(there, ana, data.id)).toBe('Ana the Third')
      await untilCached(there, ana, data.id)
      await rename(here, ana, 'Ana the Fourth')
      expect(await authorAt(there, ana, data.id)).toBe('Ana the Fourth')
    },
    TIMEOUT_MS,
  )
})
