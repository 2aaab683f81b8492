import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { createDatabase, dropDatabase } from '#test/services/database.ts'
import { type Chance, takeChance } from './chance.ts'
import { compareRows } from './rows.ts'
import { compare, told, toldOfRows } from './run.ts'
import { createTwins, type Twins } from './twins.ts'

const REQUESTS = SOAK > 1 ? 1000 * SOAK : 150
const SEED = Number(process.env['LYCEUM_TEST_SEED'] ?? 20_261_122)
const TIMEOUT_MS = 180_000 + REQUESTS * 100
const FEW = 90

let chance: Chance
let twins: Twins
let url: string

beforeAll(async () => {
  const cluster = inject('postgresUrl')
  if (!cluster) throw new Error('the postgres project runs without a cluster')
  chance = takeChance()
  url = await createDatabase(cluster)
  const folder = () => mkdtempSync(join(inject('scratch'), 'twin-'))
  const envs = {
    sqlite: { LYCEUM_DATA_DIR: folder(), LYCEUM_DATABASE_URL: '' },
    postgres: { LYCEUM_DATA_DIR: folder(), LYCEUM_DATABASE_URL: url },
  }
  twins = await createTwins(envs, SEED, chance)
}, TIMEOUT_MS)
afterAll(async () => {
  await twins?.close()
  chance?.restore()
  dropDatabase(url)
})

const databases = () => {
  const { sqlite, postgres } = twins.communities
  return { sqlite: sqlite.app.services.database, postgres: postgres.app.services.database }
}

test(
  `${REQUESTS} requests get the same responses on both databases, and leave the same rows`,
  async () => {
    let compared = 0
    const rows = async () => {
      const stored = await compareRows(databases())
      compared = stored.rows
      return stored.differences
    }
    const started = performance.now()
    const { requests, statuses, operations, differences, parted } = await compare(twins, { requests: REQUESTS, seed: SEED, rows })
    report({
      requests,
      differences: differences.length,
      'operations that worked': operations,
      rows: compared,
      'tables that differ': parted?.rows.length ?? 0,
      'a second': Math.round(requests / ((performance.now() - started) / 1000)),
      seed: String(SEED),
    })
    expect(told(differences)).toBe('')
    expect(parted && toldOfRows(parted)).toBeNull()
    expect(twins.complaints()).toEqual([])
    for (const status of [200, 201, 400, 401, 403, 404]) expect(statuses.get(status), `status ${status}`).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

describe('controls: the comparison detects', () => {
  const only = (id: string) => /^(feeds|comments|reactions)\./.test(id)

  test(
    'one different byte in a response',
    async () => {
      const { differences } = await compare(twins, {
        requests: FEW,
        seed: SEED + 1,
        only,
        change: (turn, answers) => {
          if (turn !== 70) return answers
          const { postgres } = answers
          return { ...answers, postgres: { ...postgres, text: postgres.text.replace(/}$/, ' }') } }
        },
      })
      expect(differences).toEqual([
        expect.objectContaining({
          turn: 70,
          times: 1,
          where: expect.stringMatching(/^after \d+ characters\n {2}sqlite: .*\n {2}postgres: .* }"$/),
        }),
      ])
    },
    TIMEOUT_MS,
  )

  test(
    'a different row',
    async () => {
      const { differences, parted } = await compare(twins, {
        requests: FEW,
        seed: SEED + 2,
        only,
        rows: async () => (await compareRows(databases())).differences,
        before: async (turn) => {
          if (turn !== 20) return
          await twins.communities.postgres.app.write(null, async ({ db }) => {
            await db
              .updateTable('feeds')
              .set((of) => ({ comments_count: of('comments_count', '+', 1) }))
              .execute()
          })
        },
      })
      expect(differences.length).toBeGreaterThan(0)
      expect(told(differences)).toMatch(/"comments_count\\":\d+.*\n.*"comments_count\\":\d+.*\n {2}curl /)
      expect(parted && toldOfRows(parted)).toMatch(/^before request \d+:\n(.*\n)*feeds:\n(.*\n)*after these:\n.*jobs/)
    },
    TIMEOUT_MS,
  )
})
