import pino from 'pino'
import type { Log } from '../src/observability/log.ts'

interface Line {
  readonly msg?: string
  readonly err?: { readonly stack?: string; readonly message?: string }
}

/** The most that is kept of one test. */
const MOST = 20
const failures: string[] = []

const note = (text: string) => {
  const { msg = '', err } = JSON.parse(text) as Line
  if (failures.length < MOST) failures.push(`${msg}: ${err?.stack ?? err?.message ?? text.trim()}`)
}

/** A log that keeps what servers of tests report as errors, for the output of a test that fails. */
export const failureLog = (): Log => pino({ level: 'error', base: null }, { write: note })

/** What servers have reported since this was asked last, with causes and stacks. */
export const takeFailures = (): string[] => failures.splice(0)
