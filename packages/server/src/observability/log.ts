import pino from 'pino'
import type { LogEvent } from './log-events.ts'

/** Writes one line. `event` says what happened in a stable way; the message is for people and may change. */
type WriteLine = (fields: { readonly event: LogEvent } & Readonly<Record<string, unknown>>, message: string) => void

export interface Log {
  readonly info: WriteLine
  readonly warn: WriteLine
  readonly error: WriteLine
  isLevelEnabled(level: string): boolean
}

const SECRETS = ['authorization', 'cookie', 'set-cookie', 'password', 'new_password', 'current_password', 'token', 'gif_api_key', 'secret']

/** Writes JSON lines to standard error; standard output is for the results of commands. */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      redact: { paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[redacted]' },
    },
    pino.destination({ fd: 2, sync: false }),
  )
