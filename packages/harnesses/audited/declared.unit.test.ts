import { AUDIT_ACTIONS } from '@lyceum/contract'
import { expect, test } from 'vitest'
import { ROUTES } from '../permissions/matrix.ts'
import { POLICY } from '../permissions/policy.ts'
import type { Rule } from '../permissions/rule.ts'
import { AUDITED, ELSEWHERE } from './actions.ts'

/** Actors with a role in the community, a space or a course, or with a permission. */
const MANAGES = /^(?:administrator|space moderator|space admin|teacher|staff)$| (?:here|everywhere|somewhere)$/

const whoIn = (list: Rule['through'] = []): string[] => (Array.isArray(list) ? list : Object.values(list).flat()).flat() as string[]
/** `seen` counts if managers see what otherwise only its owner sees. */
const manages = ({ through, seen, of }: Rule) =>
  [...whoIn(through), ...(of === 'scheduled' ? whoIn(seen) : [])].some((who) => MANAGES.test(who))

const acting = Object.values(POLICY)
  .flatMap((rules) => Object.entries(rules))
  .filter(([id, rules]) => {
    const route = ROUTES.get(id)
    return route !== undefined && route.method !== 'GET' && route.write !== false && rules.some(manages)
  })
  .map(([id]) => id)

test('every write on objects of others declares its audit action, or a reason why there is none', () => {
  expect(Object.keys(AUDITED).toSorted()).toEqual(acting.toSorted())
  expect(acting.length).toBeGreaterThan(90)
})

test('every audit action is declared by a write, or recorded elsewhere', () => {
  const declared = new Set([...Object.values(AUDITED).flatMap((one) => ('none' in one ? [] : one)), ...ELSEWHERE])
  expect(AUDIT_ACTIONS.filter((action) => !declared.has(action))).toEqual([])
})
