import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { presentHashes, problemsOf, readReleased } from './released.ts'

const MIGRATIONS = join(import.meta.dirname, '../../server/src/db/migrations')

test('released migrations generate the same statements as when they were released', () => {
  expect(Object.keys(readReleased().migrations).length).toBeGreaterThanOrEqual(14)
  expect(problemsOf(readReleased(), presentHashes())).toEqual([])
})

test('migrations do not depend on other code', () => {
  const files = globSync('[0-9]*.ts', { cwd: MIGRATIONS })
  expect(files.length).toBeGreaterThanOrEqual(14)
  const imported = files.flatMap((file) =>
    [...readFileSync(join(MIGRATIONS, file), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, from]) => `${file}: ${from}`),
  )
  expect(imported.filter((one) => !one.endsWith(': ./dialect.ts'))).toEqual([])
})

describe('controls: the check detects', () => {
  const present = presentHashes()
  const [first = ''] = Object.keys(present.migrations)

  test('a changed or deleted released migration', () => {
    const changed = { ...present, migrations: { ...present.migrations, [first]: { sqlite: 'x', postgres: 'x' } } }
    expect(problemsOf(present, changed)).toEqual([expect.stringMatching(/was released/)])
    expect(problemsOf(present, { ...present, migrations: {} })).toHaveLength(Object.keys(present.migrations).length)
  })

  test('triggers changed without a new version, or with a lower one', () => {
    const { version } = present.code
    expect(problemsOf(present, { ...present, code: { ...present.code, postgres: 'x' } })).toEqual([
      expect.stringMatching(/raise the version/),
    ])
    expect(problemsOf(present, { ...present, code: { version: version + 1, sqlite: 'x', postgres: 'x' } })).toEqual([])
    expect(problemsOf(present, { ...present, code: { ...present.code, version: version - 1 } })).toEqual([expect.stringMatching(/lower/)])
  })
})
