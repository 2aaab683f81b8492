import type { ArchiveKind } from '@lyceum/contract/archive'
import { type KindCounts, OUTCOMES, type Outcome, type ReportLine, type SpaceAudience } from './types.ts'

const nothing = (): Record<Outcome | 'total', number> => ({ total: 0, imported: 0, unchanged: 0, changed: 0, skipped: 0, failed: 0 })

type Tally = { -readonly [K in keyof SpaceAudience]: SpaceAudience[K] }

/** Counts records by outcome, and passes on why records were not imported. */
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
    note: (kind: ArchiveKind, id: string, reason: string) => onLine({ kind, id, outcome: 'noted', reason }),
    space: (audience: SpaceAudience) => spaces.set(audience.id, { ...audience }),
    /** Adds to the numbers of a space, by its id at the source. */
    tally: (space: string | null | undefined, what: 'members' | 'pending' | 'posts') => {
      const known = typeof space === 'string' ? spaces.get(space) : undefined
      if (known) known[what]++
    },
    isLeftOut: (space: string): boolean => spaces.get(space)?.left_out === true,
    counts: (): Partial<Record<ArchiveKind, KindCounts>> => Object.fromEntries(counts),
    spaces: (): readonly SpaceAudience[] => [...spaces.values()],
    /** Whether any record was written. */
    hasWritten: (): boolean => [...counts.values()].some(({ imported, changed }) => imported + changed > 0),
  }
}

export type Report = ReturnType<typeof createReport>

export const hasFailures = (counts: Readonly<Partial<Record<ArchiveKind, KindCounts>>>): boolean =>
  Object.values(counts).some(({ failed }) => failed > 0)

export { OUTCOMES }
