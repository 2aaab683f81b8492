import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '#test/random.ts'
import { rollBackWrites } from '#test/rollback-helper.ts'
import { report, SOAK } from '#test/scale.ts'
import { everything } from '#test/tables.ts'
import type { Db } from '../../server/src/db/index.ts'
import { lookForSpaces, lookThrough } from './lists.ts'
import { type Cell, cellsAbout, cellsAboutPeople, FACTS, lookAt, sample } from './matrix.ts'
import { ACTORS, type ActorName, asWritten, PLACES, type Right, type Rights } from './rights.ts'
import { type Fact, PRIVACIES, STATUSES } from './rules.ts'
import { makeObjectStage, type ObjectStage, type Thing } from './stage.ts'

/** Number of cells tested, times SOAK; from twenty times on, all of them. */
const CELLS = SOAK > 1 ? 4000 : 2000
const SEED = Number(process.env['LYCEUM_TEST_SEED'] ?? Date.now() % 1_000_000)
const random = createRandom(SEED)
const isWhole = SOAK >= 20

/** Each status in each place, and published content for both privacy levels; the rest is a random sample unless all cells are tested. */
const facts: readonly Fact[] = isWhole
  ? FACTS
  : PLACES.flatMap((place) =>
      STATUSES.flatMap((status) => {
        const there = FACTS.filter((fact) => fact.place === place && fact.status === status)
        if (status !== 'published') return random.pick(there)
        return PRIVACIES.map((privacy) => random.pick(there.filter((fact) => fact.privacy === privacy)))
      }),
    )

let stage: ObjectStage
let end: () => void

beforeAll(async () => {
  stage = await makeObjectStage(facts)
  end = rollBackWrites(stage.world)
}, 120_000)
afterAll(() => stage.world.close())

test('what everyone may do with every kind of object', { timeout: 120_000 * SOAK }, async () => {
  process.stdout.write(`  seed ${SEED}\n`)
  const all = cellsAbout(stage.things)
  // In random order, so that concurrent requests rarely target the same object.
  const cells = sample(all, isWhole ? all.length : CELLS * SOAK, random)
  const before = await everything(stage.world)
  const differences = await lookAt(stage, cells)
  report({ cells: cells.length, operations: new Set(all.map(({ id }) => id)).size, actors: ACTORS.length, objects: facts.length })
  report({ differences: differences.length })
  expect(differences.slice(0, 50), `seed ${SEED}`).toEqual([])
  expect(await everything(stage.world)).toEqual(before)
})

test('what everyone may do with the authors', { timeout: 60_000 }, async () => {
  const cells = cellsAboutPeople(stage)
  const differences = await lookAt(stage, cells)
  report({ 'about people': cells.length, differences: differences.length })
  expect(differences).toEqual([])
})

test('what everyone finds in lists', { timeout: 60_000 }, async () => {
  const { asked, differences } = await lookThrough(stage, ACTORS)
  report({ lists: asked, differences: differences.length })
  expect(differences).toEqual([])
  expect(await lookForSpaces(stage, ACTORS)).toEqual([])
})

const HOLDERS: Readonly<Record<Right, ActorName>> = {
  read: 'outsider',
  circle: 'space member',
  join: 'space member',
  feeds: 'space moderator',
  comments: 'global moderator',
  decide: 'global moderator',
  pin: 'space admin',
  feature: 'space admin',
  resolve: 'global manager',
  rule: 'administrator',
}

/** The table with one right added or removed for an actor in public spaces. */
const flipped = (actor: ActorName, right: Right, turn: 'give' | 'take'): Rights => {
  const [none, open, closed, secret] = asWritten[actor]
  const others = open.split(' ').filter((one) => one !== right && one !== '')
  const changed = (turn === 'give' ? [...others, right] : others).join(' ')
  return { ...asWritten, [actor]: [none, changed, closed, secret] }
}

describe('controls: the comparison detects', () => {
  const taken = (Object.entries(HOLDERS) as [Right, ActorName][]).map(([right, actor]) => ({ turn: 'take', right, actor }) as const)
  // Without any permission the gate of the queue refuses the actor, whatever their rights in the space.
  const given = taken
    .filter(({ right }) => right !== 'read')
    .map(({ right }) => ({ turn: 'give', right, actor: right === 'resolve' ? 'manager elsewhere' : 'outsider' }) as const)

  test.each([...taken, ...given])('$turn $right: $actor', async ({ right, turn, actor }) => {
    const table = flipped(actor, right, turn)
    const cells = cellsAbout(stage.things, [actor]).filter((cell) => cell.wanted(table) !== cell.wanted(asWritten))
    const asked = sample(cells, 8, random)
    expect(asked.length).toBeGreaterThan(0)
    expect(await lookAt(stage, asked, table)).toHaveLength(asked.length)
  })

  test('a list with too much or too little', async () => {
    const table = flipped('outsider', 'circle', 'give')
    expect((await lookThrough(stage, ['outsider'], table)).differences.length).toBeGreaterThan(0)
    expect((await lookThrough(stage, ['space member'], flipped('space member', 'circle', 'take'))).differences.length).toBeGreaterThan(0)
  })

  /** The differences after rows of the stage were changed by hand; restores the rows afterwards. */
  const damaged = async (damage: (db: Db) => Promise<unknown>, mend: (db: Db) => Promise<unknown>, cells: readonly Cell[]) => {
    end()
    await stage.world.app.write(null, ({ db }) => damage(db))
    end = rollBackWrites(stage.world)
    const differences = await lookAt(stage, cells)
    end()
    await stage.world.app.write(null, ({ db }) => mend(db))
    end = rollBackWrites(stage.world)
    return differences
  }

  test('an unexpected member of a space', async () => {
    const place = { space_id: stage.spaces.secret.id, user_id: stage.memberOf('outsider').id }
    const secret = stage.things.filter((thing) => thing.place === 'secret' && thing.status === 'published')
    const cells = cellsAbout(secret, ['outsider']).filter(({ id }) => id === 'feeds.byId' || id === 'surveys.vote')
    const stamps = { joined_at: '2026-03-10 12:00:00', updated_at: '2026-03-10 12:00:00' }
    const differences = await damaged(
      (db) =>
        db
          .insertInto('space_members')
          .values({ ...place, ...stamps })
          .execute(),
      (db) => db.deleteFrom('space_members').where('space_id', '=', place.space_id).where('user_id', '=', place.user_id).execute(),
      cells,
    )
    expect(differences).toHaveLength(cells.length)
    expect(await lookAt(stage, cells)).toEqual([])
  })

  test.each(['pending', 'published'] as const)('a feed that is unexpectedly %s', async (status) => {
    const was = status === 'pending' ? 'published' : 'pending'
    const thing = stage.things.find((one) => one.place === 'secret' && one.status === was) as Thing
    const cells = cellsAbout([thing], ['space member']).filter(({ id }) => id === 'media.get' || id === 'comments.byId')
    const set = (to: 'published' | 'pending') => (db: Db) =>
      db.updateTable('feeds').set({ status: to }).where('id', '=', thing.feed_id).execute()
    expect((await damaged(set(status), set(was), cells)).length).toBeGreaterThan(0)
    expect(await lookAt(stage, cells)).toEqual([])
  })
})
