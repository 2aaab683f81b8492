import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TableShape } from './shape.ts'
import { openStaging, type Staging } from './staging.ts'

let folder: string
let staging: Staging
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'staging-test-'))
  staging = openStaging(folder)
})
afterEach(() => {
  staging.close()
  rmSync(folder, { recursive: true })
})

const SHAPE: TableShape = { columns: { id: 'integer', name: 'text' }, key: 'id', indexes: ['name'] }

test('columns are matched by name, converted by type, and absent ones are null', () => {
  const loader = staging.loader('p_items', SHAPE, ['NAME', 'other', 'Id'])
  expect(loader.copied).toEqual([true, false, true])
  loader.add(['one', 'x', '12'], 'row 1')
  staging.loader('p_items', SHAPE, ['id']).add(['3'], 'row 2')
  staging.finish()
  staging.define('items', 'p_items', SHAPE)
  expect([...staging.rows('select * from items order by id')]).toEqual([
    { id: 3, name: null },
    { id: 12, name: 'one' },
  ])
  expect(staging.get('select name from items where id = ?', 12)).toEqual({ name: 'one' })
  expect(staging.seen('p_items')).toBe(2)
})

test('rows that are not kept are counted only', () => {
  const loader = staging.loader('items', { ...SHAPE, keep: { column: 'name', test: (name) => name === 'yes' } }, ['id', 'name'])
  for (const [id, name] of [
    [1, 'yes'],
    [2, 'no'],
    [3, 'yes'],
  ])
    loader.add([id as number, name as string], '')
  staging.finish()
  staging.define('kept', 'items', SHAPE)
  expect([...staging.rows<{ id: number }>('select id from kept')].map(({ id }) => id)).toEqual([1, 3])
  expect(staging.seen('items')).toBe(3)
})

test('a table that the source does not have is empty', () => {
  staging.define('absent', null, SHAPE)
  expect([...staging.rows('select * from absent')]).toEqual([])
})

test('queries run while another one is read', () => {
  const loader = staging.loader('items', SHAPE, ['id', 'name'])
  for (let id = 1; id <= 3; id++) loader.add([id, `n${id}`], '')
  staging.finish()
  staging.define('i', 'items', SHAPE)
  const seen = []
  for (const { id } of staging.rows<{ id: number }>('select id from i order by id'))
    for (const { name } of staging.rows<{ name: string }>('select name from i where id = ?', id))
      seen.push(name, staging.get<{ name: string }>('select name from i where id = ?', id)?.name)
  expect(seen).toEqual(['n1', 'n1', 'n2', 'n2', 'n3', 'n3'])
})

test('nothing is left in the directory, even if the process is killed', () => {
  expect(readdirSync(folder)).toEqual([])
})
