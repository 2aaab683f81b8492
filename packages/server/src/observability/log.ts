import pino from 'pino'
import type { LogEvent } from './log-events.ts'
import { prettyLine } from './pretty-log.ts'

/** Writes one line. `event` says what happened in a stable way; the message is for people and may change. */
type WriteLine = (fields: { readonly event: LogEvent } & Readonly<Record<string, unknown>>, message: string) => void

export interface Log {
  readonly info: WriteLine
  readonly warn: WriteLine
  readonly error: WriteLine
  isLevelEnabled(level: string): boolean
}

const SECRETS = ['authorization', 'cookie', 'set-cookie', 'password', 'new_password', 'current_password', 'token', 'gif_api_key', 'secret']

const prettyOutput = () => ({ write: (line: string) => void process.stderr.write(prettyLine(line)) })

/** Writes lines to standard error, as JSON except on a terminal; standard output is for the results of commands. */
export const createLog = (level: string, format: 'auto' | 'pretty' | 'json' = 'auto'): Log =>
  pino(
    {
      level,
      base: null,
      redact: { paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[redacted]' },
    },
    format === 'pretty' || (format === 'auto' && process.stderr.isTTY) ? prettyOutput() : pino.destination({ fd: 2, sync: false }),
  )
