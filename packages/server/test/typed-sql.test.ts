import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { differences } from '#test/typed-sql/compare.ts'
import { type Describer, describeOnPostgres, describeOnSqlite } from '#test/typed-sql/describe.ts'
import type { RecordedStatement, Recording } from '#test/typed-sql/record-calls.ts'
import { type StatementCall, statementCalls } from '#test/typed-sql/row-types.ts'

const RECORD = fileURLToPath(import.meta.resolve('#test/typed-sql/record.ts'))
/** Minimum share of calls with a statement that was prepared; the others build their text from the parameters of a request. */
const LEAST_COVERED = 0.9
const TIMEOUT_MS = 180_000

interface Statement extends RecordedStatement {
  /** It was created for the other database alone, or for whichever is used first. */
  readonly elsewhere?: true
}

interface Tried {
  readonly statements: readonly Statement[]
  readonly describer: Describer
  /** Matches statements written for the other database. */
  readonly foreign: RegExp
}

let calls: readonly StatementCall[]
/** SQLite, and PostgreSQL if there is one. */
const tried: Record<string, Tried> = {}

beforeAll(async () => {
  const folder = mkdtempSync(join(inject('scratch'), 'typed-sql-'))
  const { LYCEUM_DATABASE_URL: url } = await freshEnv()
  const env = { ...process.env, NODE_COMPILE_CACHE: join(inject('scratch'), 'compiled') }
  const target = join(folder, 'statements.json')
  const recording = promisify(execFile)(process.execPath, [RECORD, target, folder, '', ...(url ? [url] : [])], { env })
  calls = statementCalls()
  await recording
  const { loaded, used } = JSON.parse(readFileSync(target, 'utf8')) as Recording
  const statementsOf = (database: number): Statement[] => [
    ...loaded,
    ...used.flatMap((list, of) => list.map((one) => (of === database ? one : { ...one, elsewhere: true as const }))),
  ]
  tried['SQLite'] = {
    statements: statementsOf(0),
    describer: describeOnSqlite(join(folder, 'data-0/lyceum.db')),
    foreign:
      /\bwith \w+ as \(insert\b|\bfor (no key update|update|key share)\b|\bpg_|::[a-z]|json_array_elements|\bany\(|current_schema|tsvector/i,
  }
  if (url)
    tried['PostgreSQL'] = {
      statements: statementsOf(1),
      describer: await describeOnPostgres(url),
      foreign: /\bsqlite_|\bpragma_|\bmatch \$|\blast_insert_rowid\b/i,
    }
}, TIMEOUT_MS)
afterAll(async () => {
  for (const { describer } of Object.values(tried)) await describer.close()
})

/** Returns the problems of the statements of these calls, and the calls with a statement that could be prepared. */
const prepareAll = async ({ describer, foreign }: Tried, all: readonly StatementCall[], recorded: readonly Statement[]) => {
  const rows = new Map(all.map(({ site, row }) => [site, row]))
  const prepared = new Set<string>()
  const problems: string[] = []
  for (const { site, text, elsewhere } of recorded) {
    try {
      const columns = await describer.columns(text)
      prepared.add(site)
      // `selectPage` also counts the rows of all pages, which its row type does not describe.
      const isCount = text.startsWith('select count(*) as n from ')
      const row = (rows.get(site) ?? []).filter(({ name }) => !isCount || name === 'n')
      problems.push(...differences(row, columns).map((problem) => `${site} ${problem}`))
    } catch (error) {
      if (!elsewhere && !foreign.test(text)) problems.push(`${site} ${(error as Error).message}: ${text}`)
    }
  }
  return { prepared, problems }
}

test('every statement can be prepared, and has the columns of its row type', { timeout: TIMEOUT_MS }, async () => {
  expect(calls.length).toBeGreaterThan(700)
  for (const [database, one] of Object.entries(tried)) {
    const { problems, prepared } = await prepareAll(one, calls, one.statements)
    expect(problems, database).toEqual([])
    const covered = calls.filter(({ site }) => prepared.has(site))
    expect(covered.length / calls.length, database).toBeGreaterThan(LEAST_COVERED)
  }
})

test('a renamed column is found, in the text and in the row type', async () => {
  const naming = new Map(calls.filter(({ row }) => row?.some(({ name }) => name === 'username')).map((call) => [call.site, call]))
  for (const one of Object.values(tried)) {
    const statement = one.statements.find(({ site, text, elsewhere }) => !elsewhere && naming.has(site) && /\busername\b/.test(text))
    const call = naming.get(statement?.site ?? '')
    if (!call?.row || !statement) throw new Error('no statement selects a username')
    const renamed = { ...statement, text: statement.text.replaceAll(/\busername\b/g, 'user_name') }
    const row = call.row.map((field) => (field.name === 'username' ? { ...field, name: 'user_name' } : field))
    expect((await prepareAll(one, [call], [statement])).problems).toEqual([])
    expect((await prepareAll(one, [call], [renamed])).problems).toHaveLength(1)
    expect((await prepareAll(one, [{ ...call, row }], [statement])).problems).toEqual([`${call.site} has no column user_name`])
  }
})
