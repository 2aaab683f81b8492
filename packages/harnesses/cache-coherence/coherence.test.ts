import { afterAll, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { runText } from '../../server/src/db/index.ts'
import { dialect, freshEnv, removeEnv } from '../fuzz/environment.ts'
import type { FuzzRequest } from '../fuzz/requests.ts'
import { type CachingPair, createPair } from './pair.ts'
import { compareColumns, nameOf, otherColumns, RULE_COLUMNS, type RuleColumn, readsOf, withoutColumn } from './rule-columns.ts'
import { compareCached, type Stale } from './run.ts'

/** Fewer where each takes longer. */
const REQUESTS = SOAK > 1 ? 900 * SOAK : dialect === 'sqlite' ? 120 : 60
/** Requests to one community: the next begins with an empty one. */
const AT_ONE = 9000
const SEED = Number(process.env['LYCEUM_TEST_SEED'] ?? 20_261_123)
const TIMEOUT_MS = 180_000 + REQUESTS * 100

const told = (stale: readonly Stale[]) =>
  stale.map(({ turn, read, after, where }) => `${turn}: ${read}\n  after ${after}\n  ${where}`).join('\n\n')

const openPair = async (seed: number) => {
  const env = await freshEnv()
  const pair = await createPair(env, seed)
  const close = async () => {
    await pair.close()
    removeEnv(env)
  }
  return { pair, close }
}

/** Making a community takes longer than most tests, so a short run has one for all of them, and the last test damages it. */
let shared: Awaited<ReturnType<typeof openPair>> | undefined
afterAll(() => shared?.close())

const withPair = async <T>(seed: number, work: (pair: CachingPair) => Promise<T>): Promise<T> => {
  if (SOAK === 1) {
    shared ??= await openPair(seed)
    return work(shared.pair)
  }
  const own = await openPair(seed)
  try {
    return await work(own.pair)
  } finally {
    await own.close()
  }
}

/** Generated reads, of which those that succeed are repeated after each change of a column. */
const READS = SOAK > 1 ? 400 : 150
let known: readonly FuzzRequest[] | undefined
const readsFrom = async (pair: CachingPair) => {
  const reads = known ?? (await readsOf(pair, SEED, READS))
  if (SOAK === 1) known = reads
  return reads
}

/** Ids that no write changes: the rules invalidate the tags of the new id only. */
const NEVER_CHANGED = new Set(['application_passwords.user_id', 'comments.post_id'])
const COLUMNS = [...new Map(RULE_COLUMNS.map((target) => [nameOf(target), target])).values()].filter(
  (target) => !NEVER_CHANGED.has(nameOf(target)),
)
const COLUMN_TIMEOUT_MS = 900_000

// What a change invalidates on PostgreSQL is tested for each column with the recorded databases, and what that does to reads is the same.
test.runIf(SOAK > 1 || dialect === 'sqlite')(
  `after a change of each of the ${COLUMNS.length} columns that the rules name, no cache is older than the database`,
  async () => {
    const found = await withPair(SEED, async (pair) => compareColumns(pair, COLUMNS, await readsFrom(pair)))
    expect(Object.fromEntries(found.stale)).toEqual({})
    // Columns of empty tables, and those whose constraint accepts none of the values.
    expect(found.unchanged.length).toBeLessThan(COLUMNS.length / 4)
    report({ columns: COLUMNS.length - found.unchanged.length, compared: found.compared, stale: 0, seed: String(SEED) })
  },
  COLUMN_TIMEOUT_MS,
)

test.runIf(SOAK > 1 || dialect === 'sqlite')(
  'after a change of each other column of these tables, no cache is older than the database',
  async () => {
    const { columns, found } = await withPair(SEED, async (pair) => {
      const columns = await otherColumns(pair)
      return { columns, found: await compareColumns(pair, columns, await readsFrom(pair)) }
    })
    expect(columns.map(nameOf)).toEqual(
      expect.arrayContaining(['spaces.parent_id', 'spaces.position', 'users.last_activity', 'topics.icon']),
    )
    expect(Object.fromEntries(found.stale)).toEqual({})
    report({ columns: columns.length - found.unchanged.length, compared: found.compared, stale: 0, seed: String(SEED) })
  },
  COLUMN_TIMEOUT_MS,
)

/** Most others are in several rules, so that without one of these the others still invalidate the entries. */
const isTried = (target: RuleColumn) => ['users.display_name', 'spaces.title'].includes(nameOf(target))

test.runIf(dialect === 'sqlite')(
  'control: a column that is missing in a rule is detected',
  async () => {
    const missed = await withPair(SEED, async (pair) => {
      const reads = await readsFrom(pair)
      const undetected: string[] = []
      for (const target of RULE_COLUMNS.filter(isTried)) {
        const { stale } = await withoutColumn(pair, target, () => compareColumns(pair, [target], reads))
        if (stale.size === 0) undetected.push(`${nameOf(target)} in rule ${target.rule}`)
      }
      return undetected
    })
    expect(missed).toEqual([])
  },
  COLUMN_TIMEOUT_MS,
)

test(
  `after ${REQUESTS} generated requests, no cache is older than the database`,
  async () => {
    const sums = { writes: 0, compared: 0, 'from memory': 0, stale: 0 }
    for (let from = 0; from < REQUESTS; from += AT_ONE) {
      const seed = SEED + from / AT_ONE
      const found = await withPair(seed, (pair) => compareCached(pair, { requests: Math.min(AT_ONE, REQUESTS - from), seed }))
      expect(told(found.stale)).toBe('')
      expect(found.hits).toBeGreaterThan(found.compared)
      sums.writes += found.writes
      sums.compared += found.compared
      sums['from memory'] += found.hits
    }
    report({ requests: REQUESTS, ...sums, seed: String(SEED) })
  },
  TIMEOUT_MS,
)

const TRIGGERS = {
  sqlite: `select name, '' as place from sqlite_temp_master where type = 'trigger' and name like 'lyceum_invalidate%'`,
  postgres: `select tgname as name, ' on ' || tgrelid::regclass as place from pg_trigger where tgname like 'invalidate%'`,
}

/** Most of their requests change or show the same few objects, so a stale answer is found soon. */
const isAboutFeeds = (operation: string) => /^(feeds|comments|reactions)\./.test(operation)

test(
  'control: a database that does not report its changes is detected',
  async () => {
    const found = await withPair(SEED, async (pair) => {
      await pair.community.app.services.database.write(async (db) => {
        const triggers = await runText<{ name: string; place: string }>(db, TRIGGERS[dialect], [])
        expect(triggers.length).toBeGreaterThan(20)
        for (const { name, place } of triggers) await runText(db, `drop trigger ${name}${place}`, [])
      })
      return compareCached(pair, { requests: 600, seed: SEED, most: 1, only: isAboutFeeds })
    })
    expect(found.stale).toHaveLength(1)
  },
  TIMEOUT_MS,
)
