import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Where a statement was created or run, as `path:line:column` below the source folder, and its text. */
export interface RecordedStatement {
  readonly site: string
  readonly text: string
}

const SOURCE = resolve(import.meta.dirname, '../../src')
/** Helpers that create statements on behalf of their callers. */
export const HELPERS: readonly string[] = ['db/sql/statement.ts', 'db/sql/batch-statement.ts', 'db/sql/select.ts']
const STATEMENT = pathToFileURL(resolve(SOURCE, 'db/sql/statement.ts')).href
const RECORDER = new URL('recording-statement.ts', import.meta.url).href

const recorded = new Map<string, RecordedStatement>()

/** The nearest caller in the server's source that is not one of the helpers for statements. */
const callSite = (): string | undefined => {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_error, frames) => frames
  const frames = new Error().stack as unknown as NodeJS.CallSite[]
  Error.prepareStackTrace = prepareStackTrace
  for (const frame of frames) {
    const url = frame.getFileName()
    const file = url?.startsWith('file:') ? fileURLToPath(url) : (url ?? '')
    const name = file.startsWith(`${SOURCE}/`) ? file.slice(SOURCE.length + 1) : ''
    if (name && !HELPERS.includes(name)) return `${name}:${frame.getLineNumber()}:${frame.getColumnNumber()}`
  }
  return undefined
}

export const record = (text: string): void => {
  const site = callSite()
  if (site) recorded.set(`${site} ${text}`, { site, text })
}

/** What was recorded since the last call. */
export const takeStatements = (): RecordedStatement[] => {
  const taken = [...recorded.values()]
  recorded.clear()
  return taken
}

/** What a run of `record.ts` writes. */
export interface Recording {
  /** Statements that are created when the server is loaded. */
  readonly loaded: readonly RecordedStatement[]
  /** For each database, those that were created while it was used; what is created once is recorded for the first. */
  readonly used: readonly (readonly RecordedStatement[])[]
}

/** From now on, newly loaded modules get helpers that record the statements. */
export const recordStatements = (): void => {
  Error.stackTraceLimit = 30
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context)
      return resolved.url === STATEMENT && context.parentURL !== RECORDER ? { ...resolved, url: RECORDER } : resolved
    },
  })
}
