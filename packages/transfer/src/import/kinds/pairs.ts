import type { ArchiveKind } from '@lyceum/contract/archive'
import type { Item } from '../batches.ts'
import type { Settle } from '../import-kind.ts'
import type { Run } from '../run.ts'

/**
 * The records whose rows are new: of several with the same key, such as those of a person and a post, only the first counts. `present` are
 * the keys of rows that exist.
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
