import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { ArchiveKind } from '@lyceum/contract/archive'
import { openSource } from '@lyceum/importers'
import { withCore } from '../../../server/src/cli/bootstrap.ts'
import { CommandError, type Terminal } from '../../../server/src/cli/terminal.ts'
import { createProgress } from '../bulk/progress.ts'
import { hasFailures, type Imported, importSource, type ReportLine, readMapping } from '../import/index.ts'
import { kindsOf } from './choices.ts'
import { summaryOf } from './summary.ts'

/** The command's options as entered. */
export interface ImportCommandOptions {
  readonly uploads?: string
  readonly user?: string
  readonly passwordFile?: string
  readonly only?: string
  readonly map?: string
  readonly as?: string
  readonly report?: string
  readonly dryRun?: true
  readonly strict?: true
}

interface Command {
  readonly terminal: Terminal
  readonly source: string
  readonly place: string
  readonly options: ImportCommandOptions
  readonly signal: AbortSignal
}

interface Result {
  readonly result: Imported & { readonly dry_run: boolean; readonly remarks: readonly ReportLine[]; readonly remarks_total: number }
  readonly text: string
  /** Whether records failed although failures were not accepted. */
  readonly isRefused: boolean
}

/** Maximum number of report lines in the result; the report file has all. */
const MOST_REMARKS = 1000

const fileOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(`cannot read ${path}: ${(error as Error).message}`)
  }
}

/** Opens the JSON Lines report before the import, so that an unusable path is reported early. */
const reportTo = (path: string | undefined) => {
  if (path === undefined) return { add: () => {}, close: () => {} }
  let file: number
  try {
    file = openSync(path, 'w', 0o600)
  } catch (error) {
    throw new CommandError(`cannot write ${path}: ${(error as Error).message}`)
  }
  return {
    add: (line: ReportLine) => void writeSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  }
}

/** The command `lyceum import`. @throws CommandError, ImportRefused, UnreadableSource */
export const runImport = async ({ terminal, source: name, place, options, signal }: Command): Promise<Result> => {
  const { uploads, user, passwordFile, dryRun: isDry = false } = options
  const only = options.only === undefined ? undefined : kindsOf(options.only)
  const mapping = options.map === undefined ? undefined : readMapping(fileOf(options.map))
  const password = passwordFile === undefined ? undefined : fileOf(passwordFile).split(/\r?\n/, 1)[0]
  const report = reportTo(options.report)
  const remarks: ReportLine[] = []
  let all = 0
  try {
    const imported = await withCore(
      terminal,
      async ({ services }) => {
        const source = await openSource(name, place, {
          ...(uploads !== undefined && { uploads }),
          ...(user !== undefined && { user }),
          ...(password !== undefined && { password }),
          signal,
        })
        try {
          const totals: Partial<Record<ArchiveKind, number>> = await source.counts()
          const counts = Object.entries(totals).filter(([kind]) => !only || only.has(kind as ArchiveKind))
          const bar = createProgress({ tty: terminal.shows, write: terminal.err }, Object.fromEntries(counts))
          const done = await importSource(services, source, {
            ...(only && { only }),
            ...(mapping && { mapping }),
            ...(options.as !== undefined && { as: options.as }),
            dryRun: isDry,
            signal,
            onProgress: (kind, done) => bar.show(kind, done),
            onCompleting: () => {
              bar.clear()
              terminal.err('updating links, points and statistics\n')
            },
            onLine: (line) => {
              all++
              if (remarks.length < MOST_REMARKS) remarks.push(line)
              report.add(line)
            },
          })
          bar.clear()
          return done
        } finally {
          await source.close()
        }
      },
      { creates: true },
    )
    return {
      result: { ...imported, dry_run: isDry, remarks, remarks_total: all },
      text: summaryOf(imported, { isDry, lines: remarks, all }),
      isRefused: options.strict === true && hasFailures(imported.counts),
    }
  } finally {
    report.close()
  }
}
