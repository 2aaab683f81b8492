/** What entries are made from: the rows `kind:id`, or a kind as a whole. */
export interface Subject {
  readonly name: string
  /** The moment of its last change. */
  changed: number
  /** How many entries are made from it. */
  entries: number
}

/** Changes that are remembered of subjects that nothing kept is made from; what was begun before the older half of them is not kept. */
const REMEMBERED = 4096

/**
 * When each subject changed last. A change costs the same however many entries are made from its subject: they look at it when they are used.
 * What is being made meanwhile must not miss a change either, so that the last changes of every subject are remembered for a while.
 */
export const createSubjects = () => {
  let known = new Map<string, Subject>()
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  /** Every change after this moment is remembered. */
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
    /** Forgets all of them: the entries are gone as well, and what was begun before `moment` is not kept. */
    everything: (moment: number) => {
      known = new Map()
      young = new Map()
      old = new Map()
      floor = moment
      turned = moment
    },
    /** The subjects of an entry that is made from rows read since then; null when one of them changed since, or that is not known. */
    take: (names: readonly string[], since: number): Subject[] | null => {
      if (since < floor) return null
      for (const name of names) if (lastChange(name) > since) return null
      return names.map(use)
    },
    release: (subjects: readonly Subject[]) => {
      for (const subject of subjects) {
        subject.entries -= 1
        // One that was forgotten with everything may have a namesake.
        if (subject.entries === 0 && known.get(subject.name) === subject) known.delete(subject.name)
      }
    },
    count: () => known.size,
  }
}

export type Subjects = ReturnType<typeof createSubjects>
