import { expect, test } from 'vitest'
import { createRandom } from '#test/random.ts'
import { report, SOAK } from '#test/scale.ts'
import { createWorld, type World } from '#test/world.ts'
import { listTables, runText, type Value } from '../../server/src/db/index.ts'
import { type Damage, drawSteps, type Fault, type Rule, runSteps, shrinkSteps } from './sequence.ts'
import { createStage, kindOf } from './sequence-stage.ts'
import type { Kind } from './things.ts'

const SEQUENCES = SOAK > 1 ? 40 * SOAK : 24
/** Sequences per database: counting rows gets slower as tables grow. */
const ON_ONE = 200
const SEED = 20_261_122
const TIMEOUT_MS = 60_000 + SEQUENCES * 1500
/** The fault must be found within this many sequences. */
const FEW = 60

interface Found extends Fault {
  readonly seed: number
  readonly steps: readonly string[]
}

interface Options {
  readonly sequences: number
  readonly seed: number
  readonly only?: (kind: Kind) => boolean
  readonly damage?: (world: World) => Damage
}

/** Runs sequences and reports the first violation with a minimized list of steps. */
const search = async ({ sequences, seed, only, damage }: Options) => {
  const checks: Partial<Record<Rule, number>> = {}
  const worked = new Set<string>()
  let requests = 0
  let found: Found | null = null
  for (let from = 0; from < sequences && !found; from += ON_ONE) {
    const world = await createWorld()
    const stage = await createStage(world)
    const breaks = damage?.(world)
    for (let i = from; i < Math.min(sequences, from + ON_ONE) && !found; i++) {
      const steps = drawSteps(createRandom(seed + i), only)
      const ran = await runSteps(stage, steps, breaks)
      for (const [rule, times] of Object.entries(ran.checks)) checks[rule as Rule] = (checks[rule as Rule] ?? 0) + times
      for (const id of ran.worked) worked.add(id)
      if (!ran.fault) continue
      const few = await runSteps(stage, await shrinkSteps(stage, steps, ran.fault, breaks), breaks)
      found = { ...(few.fault ?? ran.fault), seed: seed + i, steps: few.told }
    }
    requests += stage.requests()
    await world.close()
  }
  return { checks, worked, requests, found }
}

test(
  `in ${SEQUENCES} sequences, deleted objects are gone, rejected requests leave nothing, children stay with their parents and objects with their owners`,
  async () => {
    const started = performance.now()
    const { checks, worked, requests, found } = await search({ sequences: SEQUENCES, seed: SEED })
    report({
      sequences: SEQUENCES,
      requests,
      'operations that worked': worked.size,
      ...checks,
      broken: found ? 1 : 0,
      'a second': Math.round(requests / ((performance.now() - started) / 1000)),
      seed: String(SEED),
    })
    expect(found).toBeNull()
    for (const rule of ['use after free', 'resource leak', 'resource hierarchy', 'user namespace'] as const)
      expect(checks[rule], rule).toBeGreaterThan(SEQUENCES / 2)
    // Refusals are meaningful only if the operations otherwise succeed.
    expect(worked.size).toBeGreaterThan(SOAK >= 10 ? 45 : 18)
  },
  TIMEOUT_MS,
)

/** Restores deleted rows. */
const returning = ({ app }: World): Damage => {
  let row: Readonly<Record<string, Value>> | undefined
  const { database } = app.services
  return {
    beforeRemoval: async (thing) => {
      ;[row] = await runText<Record<string, Value>>(database.read, `select * from ${kindOf(thing).table} where id = $1`, [thing.id])
    },
    afterRemoval: async (thing) => {
      const { name, columns } = (await listTables(database.read)).find((table) => table.name === kindOf(thing).table) as {
        name: string
        columns: readonly string[]
      }
      const places = columns.map((_, i) => `$${i + 1}`).join(', ')
      const values = columns.map((column) => row?.[column] ?? null)
      await app.write(null, ({ db }) => runText(db, `insert into ${name} (${columns.join(', ')}) values (${places})`, values))
    },
  }
}

let left = 0
const change = ({ app }: World, text: string, values: readonly Value[]) => app.write(null, ({ db }) => runText(db, text, values))

const named =
  (...names: string[]) =>
  ({ name }: Kind) =>
    names.includes(name)

test.each<[Rule, Omit<Options, 'sequences' | 'seed'>]>([
  ['use after free', { only: named('webhook'), damage: returning }],
  [
    'resource leak',
    {
      only: named('topic'),
      damage: (world) => ({
        afterRefusal: async () => {
          left += 1
          await change(world, `insert into settings (key, value, updated_at) values ($1, '{}', '2026-01-01 00:00:00')`, [`left-${left}`])
        },
      }),
    },
  ],
  [
    'resource hierarchy',
    {
      only: named('comment'),
      damage: (world) => ({
        beforeSwap: async (child, other) => {
          if (other.kind === 'feed') await change(world, 'update comments set post_id = $1 where id = $2', [other.id, child.id])
        },
      }),
    },
  ],
  [
    'user namespace',
    {
      only: named('device'),
      damage: (world) => ({
        beforeReach: async (thing, other) => {
          await change(world, 'update push_subscriptions set user_id = $1 where id = $2', [other, thing.id])
        },
      }),
    },
  ],
])(
  'control: a server that breaks the rule “%s” is detected, with few steps that show it',
  async (rule, options) => {
    const { found } = await search({ ...options, sequences: FEW, seed: SEED })
    expect(found?.rule).toBe(rule)
    expect(found?.shown).toMatch(/→ \d{3}|is still in|is in/)
    expect(found?.steps.length).toBeLessThan(5)
  },
  TIMEOUT_MS,
)
