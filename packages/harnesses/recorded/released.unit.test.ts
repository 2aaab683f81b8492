import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { presentHashes, problemsOf, readReleased } from './released.ts'

const MIGRATIONS = join(import.meta.dirname, '../../server/src/db/migrations')

test('released migrations yield the statements that they were released with', () => {
  expect(Object.keys(readReleased().migrations).length).toBeGreaterThanOrEqual(14)
  expect(problemsOf(readReleased(), presentHashes())).toEqual([])
})

test('migrations are made of their own text alone', () => {
  const files = globSync('[0-9]*.ts', { cwd: MIGRATIONS })
  expect(files.length).toBeGreaterThanOrEqual(14)
  const imported = files.flatMap((file) =>
    [...readFileSync(join(MIGRATIONS, file), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, from]) => `${file}: ${from}`),
  )
  expect(imported.filter((one) => !one.endsWith(': ./dialect.ts'))).toEqual([])
})

describe('found out would be', () => {
  const present = presentHashes()
  const [first = ''] = Object.keys(present.migrations)

  test('a released migration that changed or is gone', () => {
    const changed = { ...present, migrations: { ...present.migrations, [first]: { sqlite: 'x', postgres: 'x' } } }
    expect(problemsOf(present, changed)).toEqual([expect.stringMatching(/was released/)])
    expect(problemsOf(present, { ...present, migrations: {} })).toHaveLength(Object.keys(present.migrations).length)
  })

  test('triggers that changed under the same version, or went back to a lower one', () => {
    const { version } = present.code
    expect(problemsOf(present, { ...present, code: { ...present.code, postgres: 'x' } })).toEqual([
      expect.stringMatching(/raise the version/),
    ])
    expect(problemsOf(present, { ...present, code: { version: version + 1, sqlite: 'x', postgres: 'x' } })).toEqual([])
    expect(problemsOf(present, { ...present, code: { ...present.code, version: version - 1 } })).toEqual([expect.stringMatching(/lower/)])
  })
})
