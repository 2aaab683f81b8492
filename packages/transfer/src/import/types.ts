import type { ArchiveKind } from '@lyceum/contract/archive'
import type { Mapping } from './mapping.ts'

export const OUTCOMES = ['imported', 'unchanged', 'changed', 'skipped', 'failed'] as const
/** `skipped`: omitted on purpose, such as a duplicate; `failed`: could not be read or stored. */
export type Outcome = (typeof OUTCOMES)[number]

export type KindCounts = Readonly<Record<Outcome | 'total', number>>

/** A record that was not imported, or only partly. */
export interface ReportLine {
  readonly kind: ArchiveKind
  readonly id: string
  readonly outcome: 'skipped' | 'failed' | 'noted'
  readonly reason: string
}

/** Who sees the content of a space of the source. */
export interface SpaceAudience {
  readonly id: string
  readonly title: string
  /** Privacy at the source. `privacy` is the one in this community. */
  readonly source_privacy: string
  readonly privacy: string
  /** The slug of the existing space that receives the content; null for a new one. */
  readonly into: string | null
  readonly left_out: boolean
  readonly members: number
  readonly pending: number
  readonly posts: number
}

export interface ImportOptions {
  /** The kinds to import; default: all. */
  readonly only?: ReadonlySet<ArchiveKind>
  readonly mapping?: Mapping
  /** Reports what an import would do, without writing. */
  readonly dryRun?: boolean
  /** Name of the source in the import map, to import several communities from the same platform. */
  readonly as?: string
  readonly signal?: AbortSignal
  /** Records in the first transaction of a kind; tests set fewer. */
  readonly firstSize?: number
  /** Receives the number of processed records, and the total if known. */
  readonly onProgress?: (kind: ArchiveKind, done: number, total: number | undefined) => void
  readonly onLine?: (line: ReportLine) => void
  /** Called when all records are imported, before derived data is computed. */
  readonly onCompleting?: () => void
}

export interface Imported {
  /** False if it was interrupted; the next import continues. */
  readonly complete: boolean
  readonly source: string
  readonly counts: Readonly<Partial<Record<ArchiveKind, KindCounts>>>
  /** Counts of source data that cannot be imported. */
  readonly left_out: Readonly<Record<string, number>>
  readonly spaces: readonly SpaceAudience[]
}
