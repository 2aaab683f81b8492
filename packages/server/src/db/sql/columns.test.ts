import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { assignments, excluded, insertSql, migrate, openDatabase, statement, statementOne, valuesIn } from '../index.ts'

const NOW = '2026-03-10 12:00:00'
const COLUMNS = ['key', 'value', 'updated_at'] as const

test('a row is inserted, replaced on a conflict, and updated', async () => {
  const { LYCEUM_DATABASE_URL: url = '' } = await freshEnv()
  const database = openDatabase({ url, dataDir: mkdtempSync(join(inject('scratch'), 'columns-')), poolSize: 2 })
  try {
    await migrate(database, NOW)
    const put = statement(`${insertSql('settings', COLUMNS)} on conflict (key) do update set ${excluded(COLUMNS.slice(1))}`)
    const stored = statementOne(`select key, value, updated_at from settings where key = $1`)
    const row = { key: 'color', updated_at: NOW, value: '"red"' }
    for (const value of ['"red"', '"blue"']) {
      await database.write((db) => put(db, valuesIn({ ...row, value }, COLUMNS)))
      expect(await stored(database.read, ['color'])).toEqual({ ...row, value })
    }
    const change = statement(`update settings set ${assignments(['value'])} where key = $1`)
    await database.write((db) => change(db, ['color', '"green"']))
    expect(await stored(database.read, ['color'])).toEqual({ ...row, value: '"green"' })
  } finally {
    await database.close()
  }
})
