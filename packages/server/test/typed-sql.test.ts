import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { differences } from '#test/typed-sql/compare.ts'
import { type Describer, describeOnPostgres, describeOnSqlite } from '#test/typed-sql/describe.ts'
import type { RecordedStatement } from '#test/typed-sql/record-calls.ts'
import { type StatementCall, statementCalls } from '#test/typed-sql/row-types.ts'

const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
const RECORD = fileURLToPath(import.meta.resolve('#test/typed-sql/record.ts'))
/** Minimum share of calls with a statement that was prepared; the others build their text from the parameters of a request. */
const LEAST_COVERED = 0.9
const TIMEOUT_MS = 180_000

/** Matches statements written for the other database. */
const FOREIGN = onPostgres
  ? /\bsqlite_|\bpragma_|\bmatch \$|\blast_insert_rowid\b/i
  : /\bwith \w+ as \(insert\b|\bfor (no key update|update|key share)\b|\bpg_|::[a-z]|json_array_elements|\bany\(|current_schema|tsvector/i

let statements: readonly RecordedStatement[]
let calls: readonly StatementCall[]
let describer: Describer

beforeAll(async () => {
  const folder = mkdtempSync(join(inject('scratch'), 'typed-sql-'))
  const { LYCEUM_DATABASE_URL: url = '' } = await freshEnv()
  const env = { ...process.env, NODE_COMPILE_CACHE: join(inject('scratch'), 'compiled') }
  const target = join(folder, 'statements.json')
  const recording = promisify(execFile)(process.execPath, [RECORD, target, join(folder, 'data'), url], { env })
  calls = statementCalls()
  await recording
  statements = JSON.parse(readFileSync(target, 'utf8')) as RecordedStatement[]
  describer = url ? await describeOnPostgres(url) : describeOnSqlite(join(folder, 'data/lyceum.db'))
}, TIMEOUT_MS)
afterAll(() => describer.close())

/** Returns the problems of the statements of these calls, and the calls with a statement that could be prepared. */
const prepareAll = async (all: readonly StatementCall[], recorded: readonly RecordedStatement[]) => {
  const rows = new Map(all.map(({ site, row }) => [site, row]))
  const prepared = new Set<string>()
  const problems: string[] = []
  for (const { site, text } of recorded) {
    try {
      const columns = await describer.columns(text)
      prepared.add(site)
      // `selectPage` also counts the rows of all pages, which its row type does not describe.
      const isCount = text.startsWith('select count(*) as n from ')
      const row = (rows.get(site) ?? []).filter(({ name }) => !isCount || name === 'n')
      problems.push(...differences(row, columns).map((problem) => `${site} ${problem}`))
    } catch (error) {
      if (!FOREIGN.test(text)) problems.push(`${site} ${(error as Error).message}: ${text}`)
    }
  }
  return { prepared, problems }
}

test('every statement can be prepared, and has the columns of its row type', { timeout: TIMEOUT_MS }, async () => {
  const { problems, prepared } = await prepareAll(calls, statements)
  expect(problems).toEqual([])
  expect(calls.length).toBeGreaterThan(700)
  const covered = calls.filter(({ site }) => prepared.has(site))
  expect(covered.length / calls.length).toBeGreaterThan(LEAST_COVERED)
})

test('a renamed column is found, in the text and in the row type', async () => {
  const [call] = calls.filter(({ row }) => row?.some(({ name }) => name === 'username'))
  const [statement] = statements.filter(({ site, text }) => site === call?.site && /\busername\b/.test(text))
  if (!call?.row || !statement) throw new Error('no statement selects a username')
  expect((await prepareAll([call], [statement])).problems).toEqual([])
  const renamed = { ...statement, text: statement.text.replaceAll(/\busername\b/g, 'user_name') }
  expect((await prepareAll([call], [renamed])).problems).toHaveLength(1)
  const row = call.row.map((field) => (field.name === 'username' ? { ...field, name: 'user_name' } : field))
  expect((await prepareAll([{ ...call, row }], [statement])).problems).toEqual([`${call.site} has no column user_name`])
})
