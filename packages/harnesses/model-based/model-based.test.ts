import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { report, SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import type { Answer } from './answer.ts'
import { explain, isExplained, type Race, races, runRace, type Sent } from './parallel.ts'
import { type Step, step } from './rules.ts'
import { runSequence, sequences } from './serial.ts'
import { emptyState, type State } from './state.ts'

const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'
/**
 * The rules are the same on both databases, and PostgreSQL takes several times as long. Races differ between databases, so most of them run on
 * both.
 */
const SEQUENCES = SOAK > 1 ? 60 * SOAK : onSqlite ? 8 : 1
const RACES = SOAK > 1 ? 40 * SOAK : onSqlite ? 6 : 4
const SEED = Number(process.env['LYCEUM_TEST_SEED'] ?? 20_261_122)
const TIMEOUT_MS = 120_000 + 1000 * (SEQUENCES + RACES)
/** A wrong rule must be found within this many runs. */
const FEW = 150

let world: World
let admin: Member

beforeAll(async () => {
  // Two more than a race sends requests at once.
  world = await createWorld(SOAK > 1 ? { manyConnections: true } : { env: { LYCEUM_DATABASE_POOL: '8' } })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

test(
  `in ${SEQUENCES} random sequences, responses and state match the model`,
  async () => {
    let compared = 0
    const property = fc.asyncProperty(sequences(), async (commands) => {
      compared += await runSequence(world, admin, commands, step)
    })
    await fc.assert(property, { numRuns: SEQUENCES, seed: SEED })
    report({ sequences: SEQUENCES, 'answers compared': compared, differences: 0, seed: String(SEED) })
    await expectSound(world)
  },
  TIMEOUT_MS,
)

test(
  `the responses of ${RACES} groups of concurrent requests are linearizable`,
  async () => {
    let operations = 0
    const property = fc.asyncProperty(races(), async (race) => {
      const history = await runRace(world, admin, race, step)
      operations += history.at_once.length
      explain(history, step)
    })
    await fc.assert(property, { numRuns: RACES, seed: SEED })
    report({ groups: RACES, 'sent at once': operations, 'not linearizable': 0, seed: String(SEED) })
    await expectSound(world)
  },
  TIMEOUT_MS,
)

/** Wrong rules, each with one error. */
const WRONG: Readonly<Record<string, Step>> = {
  'the same reaction again leaves it': (state, operation) => {
    const before = [...state.reactions]
    const answer = step(state, operation)
    if (operation.kind === 'react' && (answer.body as string[] | undefined)?.[0] === 'removed') state.reactions = before
    return answer
  },
  'a new vote leaves the old one': (state, operation) => {
    const before = [...state.votes]
    const answer = step(state, operation)
    if (operation.kind === 'vote' && answer.status === 200) state.votes = [...before, ...state.votes.slice(-1)]
    return answer
  },
  'who has passed may submit again': (state, operation) => {
    const answer = step(state, operation)
    return answer.code === 'already_submitted' ? { status: 201 } : answer
  },
  'a draft is worth points': (state, operation) => {
    if (operation.kind !== 'seeStanding') return step(state, operation)
    const shown = structuredClone(state)
    for (const feed of shown.feeds) feed.status = 'published'
    return step(shown, operation)
  },
}

/** Detection is the same on both databases and slow: soak runs test all wrong rules, other runs only the first. */
const FOUND_OUT = Object.keys(WRONG).slice(0, SOAK > 1 ? undefined : onSqlite ? 1 : 0)
/** Shrinking is tested once, on the faster database. */
const SHORTENED = onSqlite ? 'a draft is worth points' : null

describe('controls: the checks detect', () => {
  test.each(FOUND_OUT)(
    '%s',
    async (name) => {
      const wrong = WRONG[name] as Step
      const property = fc.asyncProperty(sequences(), async (commands) => void (await runSequence(world, admin, commands, wrong)))
      const found = await fc.check(property, { numRuns: FEW, seed: SEED, endOnFailure: name !== SHORTENED })
      expect(found.failed, name).toBe(true)
      expect(String((found.errorInstance as Error).message)).toContain('the rules:')
      if (name !== SHORTENED) return
      // A pending post and the final reads: a counterexample this short is enough to locate the fault.
      expect([...(found.counterexample?.[0] ?? [])].length).toBeLessThanOrEqual(4)
      expect(String(found.counterexample?.[0])).toContain('replayPath')
    },
    TIMEOUT_MS,
  )

  test('a lost update', async () => {
    const race: Race = {
      arena: 'a conversation',
      before: [],
      at_once: [0, 1, 3].map((by) => ({ kind: 'react', by, first: 0, second: 0, third: 0 })),
    }
    explain(await runRace(world, admin, race, step), step)
    const lose = () =>
      world.app.write(null, async ({ db }) => {
        const { id } = await db.selectFrom('feeds').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
        await db.updateTable('feeds').set({ reactions_count: 2 }).where('id', '=', id).execute()
      })
    const spoilt = await runRace(world, admin, race, step, lose)
    expect(() => explain(spoilt, step)).toThrow('no order explains')
    await world.app.write(null, async ({ db }) => {
      await db.updateTable('feeds').set({ reactions_count: 3 }).where('reactions_count', '=', 2).execute()
    })
  })

  test('a position taken twice', () => {
    const state: State = { ...emptyState(), attempts: [{ by: 0, number: 1, score: 33 }] }
    const answers = (...given: Answer[]): Sent[] => given.map((answer) => ({ operation: { kind: 'submit', by: 0, right: 0 }, answer }))
    const said = { attempt_number: 2, score: 0, passed: false, can_retake: false }
    const [taken, full] = [
      { status: 201, body: said },
      { status: 403, code: 'max_attempts_reached' },
    ]
    expect(isExplained(state, answers(taken, full), [], step)).toBe(true)
    expect(isExplained(state, answers(taken, taken), [], step)).toBe(false)
    expect(isExplained(state, answers(taken, { status: 201, body: { ...said, attempt_number: 3 } }), [], step)).toBe(false)
  })
})
