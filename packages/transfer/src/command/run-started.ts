import type { ArchiveKind } from '@lyceum/contract/archive'
import { openSource, type Source } from '@lyceum/importers'
import { withCore } from '../../../server/src/cli/bootstrap.ts'
import type { Terminal } from '../../../server/src/cli/terminal.ts'
import { nowOf } from '../../../server/src/core/clock.ts'
import type { Services } from '../../../server/src/core/context.ts'
import type { ImportRunRow } from '../../../server/src/db/index.ts'
import {
  addReport,
  claimRun,
  decryptPassword,
  dropFiles,
  endRun,
  KINDS,
  type ReportRow,
  type RunResults,
  removeFiles,
  saveProgress,
  siteOf,
} from '../../../server/src/modules/migrations/index.ts'
import { withGuardedFetch } from '../../../server/src/outbound/index.ts'
import { type Imported, importSource, readMapping } from '../import/index.ts'
import { type PictureOptions, withPictures } from './choose-pictures.ts'
import { fetchStaged } from './staged-files.ts'

/** Heartbeat interval. A run without a heartbeat for two minutes is presumed dead. */
const HEARTBEAT_MS = 5000
/** Maximum number of report lines to buffer. */
const MOST_LINES = 5000

type Chosen = ReturnType<typeof choicesOf>

/** Options of the run as chosen by the administrator. @throws ImportRefused */
const choicesOf = (run: ImportRunRow) => {
  const { options = {}, ...map } = JSON.parse(run.map) as { options?: PictureOptions }
  const items = JSON.parse(run.items) as (keyof typeof KINDS)[]
  return {
    options,
    mapping: readMapping(JSON.stringify(map)),
    only: new Set<ArchiveKind>(items.flatMap((item) => KINDS[item])),
    dryRun: run.dry_run === 1,
  }
}

/** Opens the configured site, or else the uploaded files. */
const withSource = async <T>(services: Services, name: string, signal: AbortSignal, work: (source: Source) => Promise<T>): Promise<T> => {
  const opened = async (place: string, more: object) => {
    const source = await openSource(name, place, { signal, ...more })
    try {
      return await work(source)
    } finally {
      await source.close()
    }
  }
  const site = await siteOf(services.database.read, [name])
  if (site) {
    const password = decryptPassword(services, name, site.password) ?? ''
    // Guarded, because the administrator who configured the site may not be the server operator.
    return withGuardedFetch({ allow: services.config.outboundAllow }, () => opened(site.url, { user: site.username, password }))
  }
  const { place, uploads, remove } = await fetchStaged(services, name)
  try {
    return await opened(place, uploads === undefined ? {} : { uploads })
  } finally {
    await remove()
  }
}

/** Periodically stores the progress and the report of a run. */
const createReporter = ({ database, clock }: Services, runId: number, lost: () => void) => {
  const kinds: Record<string, { total: number; completed: number }> = {}
  let step = ''
  let lines: ReportRow[] = []
  let storing: Promise<void> = Promise.resolve()

  const store = async (): Promise<void> => {
    const rows = lines
    lines = []
    const isAlive = await database.write(async (db) => {
      await addReport(db, runId, rows)
      return saveProgress(db, [runId, JSON.stringify({ step, kinds }), nowOf(clock)])
    })
    if (!isAlive) lost()
  }
  const flush = (): Promise<void> => {
    storing = storing.then(store, store)
    return storing
  }
  // The final flush reports the failure.
  const beat = () => void flush().catch(() => {})
  const timer = setInterval(beat, HEARTBEAT_MS)
  timer.unref()
  return {
    expect: (totals: Readonly<Partial<Record<ArchiveKind, number>>>, only: ReadonlySet<ArchiveKind>) => {
      for (const [kind, total] of Object.entries(totals)) if (only.has(kind as ArchiveKind)) kinds[kind] = { total, completed: 0 }
    },
    progress: (kind: ArchiveKind, done: number) => {
      step = kind
      kinds[kind] = { total: Math.max(kinds[kind]?.total ?? 0, done), completed: done }
    },
    line: (row: ReportRow) => {
      lines.push(row)
      if (lines.length === MOST_LINES) beat()
    },
    flush,
    stop: () => clearInterval(timer),
  }
}

type Privacy = RunResults['audiences'][number]['privacy']

const resultsOf = ({ counts, spaces, left_out }: Imported): RunResults => ({
  kinds: counts,
  audiences: spaces
    .filter((space) => !space.left_out)
    .map(({ id, title, privacy, source_privacy, members, posts }) => ({
      ...{ id, space: title, members, posts },
      ...{ privacy: privacy as Privacy, source_privacy: source_privacy as Privacy },
    })),
  leftOut: left_out,
})

const INTERRUPTED = 'The import was interrupted. Start it again to continue.'

const importAll = async (services: Services, run: ImportRunRow, chosen: Chosen, stop: AbortController): Promise<Imported> => {
  const reporter = createReporter(services, run.id, () => stop.abort())
  try {
    await reporter.flush()
    return await withSource(services, run.source, stop.signal, async (source) => {
      reporter.expect(await source.counts(), chosen.only)
      const imported = await importSource(services, withPictures(source, chosen.options), {
        ...{ only: chosen.only, mapping: chosen.mapping, dryRun: chosen.dryRun, signal: stop.signal },
        onProgress: reporter.progress,
        onLine: ({ kind, id, outcome, reason }) => {
          if (outcome !== 'noted') reporter.line({ item: kind, foreign_id: id, outcome, reason })
        },
      })
      await reporter.flush()
      return imported
    })
  } finally {
    reporter.stop()
  }
}

/** Runs an import that was started over the API, unless another process is running it. */
export const runStarted = async (terminal: Terminal, runId: number, signal: AbortSignal): Promise<void> =>
  withCore(terminal, async ({ services }) => {
    const { database, clock } = services
    const run = await database.write((db) => claimRun(db, [runId, nowOf(clock)]))
    if (!run) return
    const stop = new AbortController()
    signal.addEventListener('abort', () => stop.abort(), { once: true })
    const end = async (status: 'completed' | 'failed', results: RunResults | null, error: string | null): Promise<void> => {
      await database.write((db) => endRun(db, [runId, status, results && JSON.stringify(results), error, nowOf(clock)]))
    }
    try {
      const imported = await importAll(services, run, choicesOf(run), stop)
      if (!imported.complete) return await end('failed', resultsOf(imported), INTERRUPTED)
      await end('completed', resultsOf(imported), null)
      if (run.dry_run === 1) return
      await removeFiles(services, database.read, run.source)
      await database.write((db) => dropFiles(db, [run.source]))
    } catch (error) {
      await end('failed', null, stop.signal.aborted ? INTERRUPTED : (error as Error).message)
      throw error
    }
  })
