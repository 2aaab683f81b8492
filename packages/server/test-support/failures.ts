import pino from 'pino'
import type { Log } from '../src/observability/log.ts'

interface Line {
  readonly msg?: string
  readonly err?: { readonly stack?: string; readonly message?: string }
}

/** Maximum number of errors kept per test. */
const MOST = 20
const failures: string[] = []

const note = (text: string) => {
  const { msg = '', err } = JSON.parse(text) as Line
  if (failures.length < MOST) failures.push(`${msg}: ${err?.stack ?? err?.message ?? text.trim()}`)
}

/** A log that collects the errors of test servers, for the output of a failing test. */
export const failureLog = (): Log => pino({ level: 'error', base: null }, { write: note })

/** Errors logged since the last call, with causes and stacks. */
export const takeFailures = (): string[] => failures.splice(0)
