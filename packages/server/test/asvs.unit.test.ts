import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_MIN_VERSION } from 'node:tls'
import { api, type Route } from '@lyceum/contract'
import { describe, expect, test } from 'vitest'
import { REQUIREMENTS, SECTIONS } from './asvs-requirements.ts'

/** The part of a schema that has the field names. */
type Shape = { readonly properties?: object } | undefined

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const isThere = (file: string) => ['.', 'packages', 'packages/server'].some((folder) => existsSync(join(root, folder, file)))

/** The cells of all rows in tables whose first heading is `heading`. */
const rowsOf = (page: string, heading: string): string[][] => {
  const lines = page.split('\n')
  return lines.flatMap((line, i) => {
    if (!line.startsWith(`| ${heading} |`)) return []
    const rest = lines.slice(i + 2)
    const end = rest.findIndex((row) => !row.startsWith('|'))
    return rest.slice(0, end < 0 ? undefined : end).map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  })
}

/** Expands `1.2.1, 1.2.3–1.2.5`; a range skips requirements of level 3. */
const numbersIn = (cell: string): string[] =>
  cell.split(',').flatMap((part) => {
    const [first = '', last] = part.trim().split('–')
    if (last === undefined) return [first]
    const [from, to] = [REQUIREMENTS.indexOf(first), REQUIREMENTS.indexOf(last)]
    return from < 0 || to < from ? [part.trim()] : REQUIREMENTS.slice(from, to + 1)
  })

const testsIn = (text: string): string[] => [...text.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file = '']) => file)

/** Why the last cell of a row is invalid, or null: it must name existing tests, or a reason why there is none. */
const answerProblem = (cell: string): string | null => {
  if (/^(?:does not apply|open): .{10,}/.test(cell)) return null
  const tests = testsIn(cell)
  if (tests.length === 0) return 'names no test'
  if (cell.replace(/`[^`]+`/g, '').replace(/[,\s]/g, '') !== '') return 'says more than which tests'
  const missing = tests.filter((file) => !isThere(file))
  return missing.length > 0 ? `names missing files: ${missing.join()}` : null
}

const asvsProblems = (page: string): string[] => {
  const rows = rowsOf(page, 'requirement')
  const numbers = rows.flatMap(([cell = '']) => numbersIn(cell))
  return [
    ...rows.map(([, , answer = '']) => answerProblem(answer)).filter((problem) => problem !== null),
    ...rows
      .filter(([, measure = '', answer = '']) => measure === '' && answer.startsWith('`'))
      .map(([row]) => `${row}: tests, but of what?`),
    ...REQUIREMENTS.filter((number) => !numbers.includes(number)).map((number) => `${number} is left out`),
    ...numbers.filter((number) => !REQUIREMENTS.includes(number)).map((number) => `${number} is no requirement`),
    ...numbers.filter((number, i) => numbers.indexOf(number) !== i).map((number) => `${number} is answered twice`),
  ]
}

const asvs = read('docs/asvs.md')
const model = read('docs/threat-model.md')

describe('docs/asvs.md', () => {
  test('is complete, and names existing tests', () => {
    expect(asvsProblems(asvs)).toEqual([])
  })

  test('covers the requirements of levels 1 and 2', () => {
    const levels = Object.values(SECTIONS).join('')
    expect([1, 2, 3].map((level) => levels.split(String(level)).length - 1)).toEqual([70, 183, 92])
    expect([REQUIREMENTS.length, numbersIn('17.2.1–17.3.2, 1.1.1').length]).toEqual([253, 7])
  })

  const shown = '`test/headers.test.ts`'
  test.each([
    ['a row without a test', (page: string) => page.replace(/^(\| 1\.1\.1 \|[^|]*\|)[^|]*\|$/m, '$1 |'), 'names no test'],
    [
      'a missing test file',
      (page: string) => page.replaceAll(shown, '`test/nothing.test.ts`'),
      'names missing files: test/nothing.test.ts',
    ],
    ['an unknown marker', (page: string) => page.replace(/^(\| 1\.1\.1 \|[^|]*\|)[^|]*\|$/m, '$1 will be done |'), 'names no test'],
    [
      'text beside a test',
      (page: string) => page.replace(/^(\| 1\.1\.1 \|[^|]*\|)[^|]*\|$/m, `$1 partly ${shown} |`),
      'says more than which tests',
    ],
    ['an empty reason', (page: string) => page.replace(/open: there is no second factor[^|]*\|/, 'open: |'), 'names no test'],
    ['a missing measure', (page: string) => page.replace(/^(\| 1\.1\.1 \|)[^|]*\|/m, '$1 |'), '1.1.1: tests, but of what?'],
    ['a missing row', (page: string) => page.replace(/^\| 3\.4\.4 .*\n/m, ''), '3.4.4 is left out'],
    ['a row of level 3', (page: string) => page.replace('| 3.4.4 |', '| 3.4.4, 3.4.7 |'), '3.4.7 is no requirement'],
    ['a duplicate row', (page: string) => page.replace('| 3.4.4 |', '| 3.4.4, 1.1.1 |'), '1.1.1 is answered twice'],
  ])('with %s is rejected', (_what, damage, problem) => {
    const damaged = damage(asvs)
    expect(damaged).not.toBe(asvs)
    expect(asvsProblems(damaged)).toContain(problem)
  })
})

describe('docs/threat-model.md', () => {
  test('names for each threat a measure and existing tests', () => {
    const threats = rowsOf(model, 'threat')
    expect(threats.length).toBeGreaterThan(15)
    for (const [threat = '', measure = '', answer = ''] of threats) {
      expect([threat, threat.length > 5 && measure.length > 10, answerProblem(answer)]).toEqual([threat, true, null])
    }
    expect(testsIn(model).filter((file) => !isThere(file))).toEqual([])
  })

  test('names the protection of each kind of data', () => {
    const assets = rowsOf(model, 'asset')
    expect(assets.length).toBeGreaterThan(5)
    for (const [asset = '', level = '', owed = ''] of assets) {
      expect([asset, ['secret', 'private', 'restricted', 'open'].includes(level), owed.length > 10]).toEqual([asset, true, true])
    }
  })
})

describe('statements without a test of their own', () => {
  const guide = globSync('docs/guide/*.md', { cwd: root }).map(read).join('\n')

  test('both proxy examples allow recent TLS versions only, and send HSTS', () => {
    const examples = [...guide.matchAll(/```text\n([\s\S]*?)```/g)]
      .map(([, text = '']) => text)
      .filter((text) => /reverse_proxy|proxy_pass/.test(text))
    expect(examples).toHaveLength(2)
    for (const example of examples) expect(example).toMatch(/Strict-Transport-Security "?max-age=31536000/)
    expect(examples[1]).toContain('ssl_protocols TLSv1.2 TLSv1.3;')
    expect(DEFAULT_MIN_VERSION).toBe('TLSv1.2')
  })

  test('no knowledge besides the password opens an account', () => {
    const routes = Object.values({ ...api.auth, ...api.account }) as Route[]
    const fields = routes.flatMap(({ body, response }) =>
      [body, response].flatMap((shape) => Object.keys((shape as Shape)?.properties ?? {})),
    )
    expect(fields).toContain('current_password')
    expect(fields.filter((name) => /hint|question|answer|birth|maiden/i.test(name))).toEqual([])
  })

  test('SECURITY.md sets deadlines for vulnerable dependencies', () => {
    const [, part = ''] = read('SECURITY.md').split('## Dependencies')
    expect(part.match(/\d+ days/g)?.length).toBeGreaterThan(1)
  })
})
