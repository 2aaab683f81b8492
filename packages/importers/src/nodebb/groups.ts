import { type Fields, jsonFields, numberOf } from '../fields.ts'
import type { Forum } from './forum.ts'

/** Groups that NodeBB manages. */
const SYSTEM = new Set([
  'administrators',
  'Global Moderators',
  'registered-users',
  'verified-users',
  'unverified-users',
  'banned-users',
  'guests',
])

/** Custom groups, ordered by name. */
export function* ownGroups({ staging }: Forum): Generator<{ name: string; fields: Fields | null }> {
  for (const { _key, data } of staging.rows<{ _key: string; data: string }>(
    `select _key, data from hash where _key >= 'group:' and _key < 'group;' order by _key`,
  )) {
    const name = _key.slice('group:'.length)
    const fields = jsonFields(data)
    if (!SYSTEM.has(name) && numberOf(fields?.['system']) !== 1) yield { name, fields }
  }
}
