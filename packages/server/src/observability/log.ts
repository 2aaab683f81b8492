import pino, { type Logger } from 'pino'

export type Log = Logger

const SECRETS = ['authorization', 'cookie', 'set-cookie', 'password', 'new_password', 'current_password', 'token', 'gif_api_key', 'secret']

/** JSON lines on standard error; standard output is for what a person or a script asked for. */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      redact: { paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[redacted]' },
    },
    pino.destination({ fd: 2, sync: false }),
  )
