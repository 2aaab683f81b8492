import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import { type KindCounts, OUTCOMES, type Outcome, type ReportLine, type SpaceAudience } from './types.ts'

const nothing = (): Record<Outcome | 'total', number> => ({ total: 0, imported: 0, unchanged: 0, changed: 0, skipped: 0, failed: 0 })

type Tally = { -readonly [K in keyof SpaceAudience]: SpaceAudience[K] }

const placeOf = (
  kind: ArchiveKind,
  record: ArchiveRecord<ArchiveKind>,
): { space: string; as: 'members' | 'pending' | 'posts' } | undefined => {
  const { space, status } = record as Partial<ArchiveRecord<'posts' | 'memberships'>>
  if (typeof space !== 'string') return undefined
  if (kind === 'posts') return { space, as: 'posts' }
  return kind === 'memberships' && status !== 'banned' ? { space, as: status === 'pending' ? 'pending' : 'members' } : undefined
}

/** Counts records by outcome, and forwards report lines. */
export const createReport = (onLine: (line: ReportLine) => void) => {
  const counts = new Map<ArchiveKind, Record<Outcome | 'total', number>>()
  const spaces = new Map<string, Tally>()
  const of = (kind: ArchiveKind) => {
    const known = counts.get(kind) ?? nothing()
    counts.set(kind, known)
    return known
  }
  return {
    begin: (kind: ArchiveKind) => void of(kind),
    count: (kind: ArchiveKind, outcome: Outcome, id: string, reasons: readonly string[] = []) => {
      const sums = of(kind)
      sums.total++
      sums[outcome]++
      const shown = outcome === 'skipped' || outcome === 'failed' ? outcome : 'noted'
      for (const reason of reasons) onLine({ kind, id, outcome: shown, reason })
    },
    /** Adds a note about a record that is counted elsewhere. */
    note: (kind: ArchiveKind, id: string, reason: string) => onLine({ kind, id, outcome: 'noted', reason }),
    /** Records the audience of a space. Later passes do not change it. */
    space: (audience: SpaceAudience) => {
      if (!spaces.has(audience.id)) spaces.set(audience.id, { ...audience })
    },
    /** Adds an imported record to the counts of its space. */
    tally: (kind: ArchiveKind, record: ArchiveRecord<ArchiveKind>) => {
      const what = placeOf(kind, record)
      const space = what && spaces.get(what.space)
      if (space) space[what.as]++
    },
    isLeftOut: (space: string): boolean => spaces.get(space)?.left_out === true,
    counts: (): Partial<Record<ArchiveKind, KindCounts>> => Object.fromEntries(counts),
    spaces: (): readonly SpaceAudience[] => [...spaces.values()],
  }
}

export type Report = ReturnType<typeof createReport>

export const hasFailures = (counts: Readonly<Partial<Record<ArchiveKind, KindCounts>>>): boolean =>
  Object.values(counts).some(({ failed }) => failed > 0)

export { OUTCOMES }
