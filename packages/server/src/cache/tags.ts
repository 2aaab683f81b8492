/** What entries are made from: a row `kind:id`, or all rows of a kind. */
export interface Subject {
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
export const createSubjects = () => {
  let known = new Map<string, Subject>()
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  /** Every change after this revision is remembered. */
  let floor = 0
  let turned = 0

  const lastChange = (name: string) => known.get(name)?.changed ?? young.get(name) ?? old.get(name) ?? 0

  const use = (name: string): Subject => {
    const found = known.get(name)
    if (found) {
      found.entries += 1
      return found
    }
    const made: Subject = { name, changed: lastChange(name), entries: 1 }
    known.set(name, made)
    return made
  }

  return {
    changed: (name: string, moment: number) => {
      const subject = known.get(name)
      if (subject) subject.changed = moment
      young.set(name, moment)
      if (young.size < REMEMBERED) return
      old = young
      young = new Map()
      floor = turned
      turned = moment
    },
    /** Forgets all tags: the entries are removed as well, and data whose read began before `moment` is not cached. */
    everything: (moment: number) => {
      known = new Map()
      young = new Map()
      old = new Map()
      floor = moment
      turned = moment
    },
    /** The tags of an entry made from rows read since then; null if one of them changed since, or if that is unknown. */
    take: (names: readonly string[], since: number): Subject[] | null => {
      if (since < floor) return null
      for (const name of names) if (lastChange(name) > since) return null
      return names.map(use)
    },
    release: (subjects: readonly Subject[]) => {
      for (const subject of subjects) {
        subject.entries -= 1
        // After everything was forgotten, a new tag may have the same name.
        if (subject.entries === 0 && known.get(subject.name) === subject) known.delete(subject.name)
      }
    },
    count: () => known.size,
  }
}

export type Subjects = ReturnType<typeof createSubjects>
