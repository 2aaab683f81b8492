import { createRandom } from '#test/random.ts'
import { CACHE_TAG_RULES, columnsOfEvent, UPDATE_OF } from '../../server/src/db/changes/cache-tags.ts'
import { type Db, listTables, runText } from '../../server/src/db/index.ts'
import { triggerName, triggerOf } from '../../server/src/db/sqlite/change-detection.ts'
import { comparable, parting } from '../differential/answers.ts'
import { type FuzzRequest, pathOf } from '../fuzz/requests.ts'
import { generateRequests } from '../kit/generated-requests.ts'
import type { CachingPair } from './pair.ts'

export interface Column {
  readonly table: string
  readonly column: string
}

/** A column that a rule names. */
export interface RuleColumn extends Column {
  /** Index of the rule in `CACHE_TAG_RULES`. */
  readonly rule: number
}

/** Every column of every rule. */
export const RULE_COLUMNS: readonly RuleColumn[] = CACHE_TAG_RULES.flatMap(({ table, on }, rule) =>
  on.flatMap(columnsOfEvent).map((column) => ({ rule, table, column })),
)

export const nameOf = ({ table, column }: Column): string => `${table}.${column}`

/** The other columns of the tables whose rules name columns. */
export const otherColumns = async ({ community }: CachingPair): Promise<readonly Column[]> => {
  const named = new Set(RULE_COLUMNS.map(nameOf))
  const limited = new Set(RULE_COLUMNS.map(({ table }) => table))
  const tables = await listTables(community.app.services.database.read)
  return tables
    .filter(({ name }) => limited.has(name))
    .flatMap(({ name, columns, key }) => columns.filter((column) => !key.includes(column)).map((column) => ({ table: name, column })))
    .filter((column) => !named.has(nameOf(column)))
}

/** SQL for another value of the column, in the order of preference: a constraint may refuse some. */
const othersOf = ({ table, column }: Column): readonly string[] => [
  `case when ${column} in (0, 1) then 1 - ${column} else ${column} + 1 end`,
  `case when ${column} like '{%' then '{"other":"x"}' when ${column} like '[%' then '["x"]' else coalesce(${column}, '') || 'x' end`,
  `coalesce((select min(o.${column}) from ${table} o where o.${column} <> ${table}.${column}), ${column})`,
  'null',
]

interface Stored {
  readonly id: number
  readonly value: string | number | null
}

/** Changes the column in all rows; returns the values before, or null if no other value is accepted. */
const change = async ({ community }: CachingPair, target: Column): Promise<readonly Stored[] | null> => {
  const { table, column } = target
  const { database } = community.app.services
  const read = (db: Db) => runText<Stored>(db, `select id, ${column} as value from ${table} order by id`, [])
  const before = await read(database.read)
  const numeric = before.some(({ value }) => typeof value === 'number')
  for (const other of othersOf(target).slice(numeric ? 0 : 1)) {
    const done = await database
      .write(async (db) => {
        await runText(db, `update ${table} set ${column} = ${other}`, [])
        return true
      })
      .catch(() => false)
    const after = done ? await read(database.read) : before
    if (after.some(({ value }, i) => value !== before[i]?.value)) return before
  }
  return null
}

const restore = ({ community }: CachingPair, { table, column }: Column, before: readonly Stored[]) =>
  community.app.services.database.write(async (db) => {
    for (const { id, value } of before) await runText(db, `update ${table} set ${column} = $1 where id = $2`, [value, id])
  })

export interface ColumnRun {
  /** Columns of which a changed value was not seen, with the first read that was stale. */
  readonly stale: ReadonlyMap<string, string>
  /** Columns that have no other value. */
  readonly unchanged: readonly string[]
  readonly compared: number
}

/** Reads of every operation, as a member and as an administrator, that answer with data. */
export const readsOf = async (pair: CachingPair, seed: number, requests: number): Promise<readonly FuzzRequest[]> => {
  const { community, cached } = pair
  await pair.rest(60)
  const { source } = generateRequests(community, createRandom(seed))
  const next = source(({ method }) => method === 'GET')
  const reads = new Map<string, FuzzRequest>()
  for (let n = 0; n < requests; n++) {
    const made = next()
    const read = { ...made, headers: {}, session: false, role: n % 2 === 0 ? ('member' as const) : ('administrator' as const) }
    const answer = await cached(read)
    const isJson = /json/.test(String(answer.headers['content-type']))
    if (isJson && answer.status === 200) reads.set(`${read.role} ${pathOf(read)}`, read)
  }
  return [...reads.values()]
}

/** Changes one column at a time, past the API, and compares cached with uncached reads. */
export const compareColumns = async (pair: CachingPair, columns: readonly Column[], reads: readonly FuzzRequest[]): Promise<ColumnRun> => {
  const stale = new Map<string, string>()
  const unchanged: string[] = []
  let compared = 0
  // The figures of /members/top-contributors follow from points, which these writes do not change.
  const same: FuzzRequest[] = []
  for (const read of reads) if (comparable(await pair.cached(read)) === comparable(await pair.uncached(read))) same.push(read)
  for (const target of columns) {
    // Cached, so that the change has something to invalidate.
    for (const read of same) await pair.cached(read)
    const before = await change(pair, target)
    if (!before) {
      unchanged.push(nameOf(target))
      continue
    }
    for (const read of same) {
      const [fromCache, made] = [comparable(await pair.cached(read)), comparable(await pair.uncached(read))]
      compared += 1
      if (fromCache === made) continue
      stale.set(nameOf(target), `${read.role} ${pathOf(read)}: ${parting(fromCache, made)}`)
      break
    }
    await restore(pair, target, before)
  }
  return { stale, unchanged, compared }
}

/** Runs `work` while a rule of SQLite does not name the column. */
export const withoutColumn = async <T>({ community }: CachingPair, { rule, column }: RuleColumn, work: () => Promise<T>): Promise<T> => {
  const changed = CACHE_TAG_RULES[rule]
  const event = changed?.on.findIndex((on) => on.startsWith(UPDATE_OF)) ?? -1
  const named = changed?.on[event]?.slice(UPDATE_OF.length).split(', ')
  if (!changed || !named?.includes(column)) throw new Error(`rule ${rule} does not name ${column}`)
  const install = (columns: readonly string[]) =>
    community.app.services.database.write(async (db) => {
      const name = triggerName(rule, event)
      await runText(db, `drop trigger if exists ${name}`, [])
      if (columns.length > 0) await runText(db, triggerOf(changed, UPDATE_OF + columns.join(', '), name), [])
    })
  await install(named.filter((other) => other !== column))
  try {
    return await work()
  } finally {
    await install(named)
  }
}
