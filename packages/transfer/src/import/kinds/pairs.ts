import type { ArchiveKind } from '@lyceum/contract/archive'
import type { Item } from '../batches.ts'
import type { Settle } from '../import-kind.ts'
import type { Run } from '../run.ts'

/**
 * Filters duplicates: of several records with the same key, such as person and post, only the first is kept. `present` returns
 * the keys of existing rows.
 */
export const withoutDuplicates = async <K extends ArchiveKind, One extends { readonly item: Item<K>; readonly key: string }>(
  run: Run,
  kind: K,
  all: readonly One[],
  present: ReadonlySet<string>,
  settle: Settle<K>,
): Promise<One[]> => {
  const keyOf = (key: string) => `${kind}:${key}`
  const taken = await run.memory.taken(all.map(({ key }) => keyOf(key)))
  return all.filter(({ item, key }) => {
    if (item.known !== undefined) return true
    if (present.has(key) || taken.has(keyOf(key))) {
      settle(item, 'skipped', 'it is a duplicate')
      return false
    }
    taken.add(keyOf(key))
    run.memory.take(keyOf(key))
    return true
  })
}
