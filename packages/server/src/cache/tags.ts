/** What entries are made from: a row `kind:id`, all rows of a kind, or a table `table:name`. */
export interface Tag {
  readonly name: string
  /** Revision of its last change. */
  changed: number
  /** Number of entries with this tag. */
  entries: number
}

/** Number of changes remembered for tags without entries. Data whose read began before the older half of them is not cached. */
const REMEMBERED = 4096

/**
 * The revision at which each tag last changed. A change costs the same however many entries have the tag, because entries check their tags
 * on use. Recent changes of all tags are remembered, so that values being computed do not miss a change.
 */
export const createTags = () => {
  let known = new Map<string, Tag>()
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  /** Every change after this revision is remembered. */
  let floor = 0
  let turned = 0

  const lastChange = (name: string) => known.get(name)?.changed ?? young.get(name) ?? old.get(name) ?? 0

  const use = (name: string): Tag => {
    const found = known.get(name)
    if (found) {
      found.entries += 1
      return found
    }
    const made: Tag = { name, changed: lastChange(name), entries: 1 }
    known.set(name, made)
    return made
  }

  return {
    changed: (name: string, revision: number) => {
      const tag = known.get(name)
      if (tag) tag.changed = revision
      young.set(name, revision)
      if (young.size < REMEMBERED) return
      old = young
      young = new Map()
      floor = turned
      turned = revision
    },
    /** Forgets all tags: the entries are removed as well, and data whose read began before `revision` is not cached. */
    everything: (revision: number) => {
      known = new Map()
      young = new Map()
      old = new Map()
      floor = revision
      turned = revision
    },
    /** The tags of an entry made from rows read since then; null if one of them changed since, or if that is unknown. */
    take: (names: Iterable<string>, since: number): Tag[] | null => {
      if (since < floor) return null
      const all = [...names]
      for (const name of all) if (lastChange(name) > since) return null
      return all.map(use)
    },
    release: (tags: readonly Tag[]) => {
      for (const tag of tags) {
        tag.entries -= 1
        // After everything was forgotten, a new tag may have the same name.
        if (tag.entries === 0 && known.get(tag.name) === tag) known.delete(tag.name)
      }
    },
    count: () => known.size,
  }
}

export type Tags = ReturnType<typeof createTags>
