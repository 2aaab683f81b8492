import { expect, test } from 'vitest'
import { ROUTES } from './matrix.ts'
import { POLICY } from './policy.ts'

test('the table has exactly one row per route of the contract', () => {
  const rows = Object.values(POLICY).flatMap((rules) => Object.keys(rules))
  expect(rows.filter((id, i) => rows.indexOf(id) !== i)).toEqual([])
  expect(rows.toSorted()).toEqual([...ROUTES.keys()].toSorted())
})
