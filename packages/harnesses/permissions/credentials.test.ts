import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#test/actors.ts'
import { makeStage, type Stage } from '#test/one-of-each.ts'
import { createRandom } from '#test/random.ts'
import { rollBackWrites } from '#test/rollback-helper.ts'
import { report, SOAK } from '#test/scale.ts'
import { CREDENTIALS, type Credential, isUnsafe, NAMED, NOBODY, type Session, showing, signInAll, withCookie } from './credentials.ts'
import { type Cell, cellsOf, expected, findOut } from './matrix.ts'
import { POLICY } from './policy.ts'
import type { Rule } from './rule.ts'

/** Cells per route and credential, times SOAK; the seed selects them. Cookies are checked independently of the database. */
const CELLS = SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' ? 6 : 4
const LANES = 8
const SEED = Number(process.env['LYCEUM_TEST_SEED'] ?? Date.now() % 1_000_000)

const RULES = Object.values(POLICY).flatMap((part) => Object.entries(part))

let stage: Stage
let end: () => void
let sessions: ReadonlyMap<string, Session>
let another: Session
let named: readonly Actor[]

beforeAll(async () => {
  stage = await makeStage()
  named = stage.actors.filter(({ name }) => NAMED.includes(name))
  // Not a caller in these tests, so that their nonce is always another person's.
  const stranger: Actor = { ...NOBODY, name: 'stranger', member: stage.other }
  sessions = await signInAll(stage.world, [...stage.actors, stranger])
  another = sessions.get(stranger.name) as Session
  end = rollBackWrites(stage.world)
}, 60_000)
afterAll(() => stage.world.close())

type Judge = typeof withCookie

/** Cells of a route, drawn again for each credential; long runs use all of them. */
const drawn = (rules: readonly Rule[], seed: number): readonly Cell[] => {
  const random = createRandom(seed)
  const cells = cellsOf(SOAK > 1 ? stage.actors : named, rules)
  const wanted = CELLS * SOAK
  if (cells.length <= wanted) return cells
  const left = [...cells]
  return Array.from({ length: wanted }, () => left.splice(random.int(left.length), 1)[0] as Cell)
}

/** Requests a route with a credential; returns the differences from the table as `actor, credential: expected, found`. */
const lookWith = async (id: string, cells: readonly Cell[], credential: Credential, judge: Judge = withCookie): Promise<string[]> => {
  const differences: string[] = []
  const waiting = [...cells]
  const lane = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const { rule, place } = cell
      const actor = showing(cell.actor, credential, sessions, another)
      const wanted = judge(id, actor, credential, expected(rule, actor, place), expected(rule, NOBODY, place))
      const { outcome } = await findOut(stage, id, rule, place, actor)
      const where = [actor.name, rule.when, place, credential].filter(Boolean).join(', ')
      if (outcome !== wanted) differences.push(`${where}: expected ${wanted}, found ${outcome}`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return differences
}

test('there is an actor for each name', () => {
  expect(named.map(({ name }) => name).toSorted()).toEqual([...NAMED].toSorted())
})

test('the access by cookie with its nonce, without one, and with a foreign one', { timeout: 60_000 * SOAK }, async () => {
  process.stdout.write(`  seed ${SEED}\n`)
  const differences: string[] = []
  let cells = 0
  for (const [at, [id, rules]] of RULES.entries())
    for (const [turn, credential] of CREDENTIALS.entries()) {
      const asked = drawn(rules, SEED + at * CREDENTIALS.length + turn)
      cells += asked.length
      differences.push(...(await lookWith(id, asked, credential)).map((text) => `${id}: ${text}`))
    }
  report({ cells, routes: RULES.length, differences: differences.length })
  expect(differences, `seed ${SEED}`).toEqual([])
})

test('a cookie without its nonce changes nothing, whoever it belongs to', { timeout: 60_000 }, async () => {
  const known = named.filter(({ member, shutOut }) => member && !shutOut)
  const differences: string[] = []
  let refused = 0
  for (const [id, [rule]] of RULES.filter(([id]) => isUnsafe(id)))
    for (const credential of CREDENTIALS.slice(1)) {
      const cells = known.map((actor): Cell => ({ rule: rule as Rule, place: rule?.places?.[0], actor }))
      refused += cells.length
      differences.push(...(await lookWith(id, cells, credential)).map((text) => `${id}: ${text}`))
    }
  report({ refused, differences: differences.length })
  expect(differences).toEqual([])
})

describe('controls: the comparison detects', () => {
  const rules = POLICY.feeds['feeds.update'] as readonly Rule[]
  const cellsFor = (name: string) => cellsOf(named, rules.slice(0, 1)).filter(({ actor }) => actor.name === name)

  test('a server that ignores the nonce, or requires it needlessly', async () => {
    const trusting: Judge = (_id, _actor, _credential, by) => by
    expect(await lookWith('feeds.update', cellsFor('author'), 'cookie alone', trusting)).toHaveLength(3)
    const strict: Judge = () => '403 rest_cookie_invalid_nonce'
    expect(await lookWith('feeds.byId', cellsFor('author'), 'cookie alone', strict)).toHaveLength(3)
  })

  test('a wrong row of the table', async () => {
    const flipped = cellsFor('author').map((cell) => ({ ...cell, rule: { ...cell.rule, through: ['space admin'] as const } }))
    expect(await lookWith('feeds.update', flipped, 'cookie and nonce')).toHaveLength(3)
  })

  test('a damaged row of the fixture', async () => {
    end()
    const outsider = named.find(({ name }) => name === 'outsider')?.member
    await stage.world.app.write(null, async ({ db, now }) => {
      const place = { space_id: stage.sets.private.scene.space.id, user_id: outsider?.id ?? 0 }
      await db
        .insertInto('space_members')
        .values({ ...place, role: 'moderator', joined_at: now, updated_at: now })
        .execute()
    })
    end = rollBackWrites(stage.world)
    expect(await lookWith('feeds.update', cellsFor('outsider'), 'cookie and nonce')).toEqual([
      'outsider, text, private, cookie and nonce: expected 404 feed_not_found, found through',
    ])
  })
})
