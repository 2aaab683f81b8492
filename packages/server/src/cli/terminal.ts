import { readFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { type Config, ConfigError, deprecatedVariables, readConfig, unknownVariables } from '../config.ts'

/** Input and output of a command; tests pass their own. */
export interface Terminal {
  /** Default: the environment of the process. */
  readonly env?: NodeJS.ProcessEnv
  out(text: string): void
  err(text: string): void
  /** log2 of the cost of password hashing; tests set a lower one. */
  readonly passwordCost?: number
  /** The row count from which an empty community is filled with a bulk load; tests set a lower one. */
  readonly many?: number
  /** Whether standard error is a terminal, so that progress is shown. */
  readonly shows: boolean
  /** Reads a secret: typed without echo at a terminal, otherwise the first line of standard input; may be empty. */
  secret(question: string): Promise<string>
}

/** Prints the result of a command: as JSON if `--json` was given, otherwise as text. */
export const printResult = (terminal: Terminal, json: true | undefined, result: unknown, text: string): void =>
  terminal.out(json ? `${JSON.stringify(result)}\n` : text)

/** An error that is reported by its message alone; exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError'
}

const typedUnseen = async (question: string): Promise<string> => {
  process.stderr.write(question)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

const firstLine = async (): Promise<string> => {
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

export const processTerminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  shows: process.stderr.isTTY === true,
  secret: (question) => (process.stdin.isTTY ? typedUnseen(question) : firstLine()),
}

/** The configuration of a command; warns about unknown variables on standard error. */
export const configFor = (terminal: Terminal): Config => {
  for (const name of unknownVariables(terminal.env))
    terminal.err(`lyceum: ${name} is not a known variable; "lyceum config" lists all of them\n`)
  for (const { former, name } of deprecatedVariables(terminal.env)) terminal.err(`lyceum: ${former} is deprecated; use ${name}\n`)
  return readConfig(terminal.env, (path) => readFileSync(path, 'utf8'))
}

const PLAIN: Readonly<Record<string, string>> = {
  EACCES: 'may not be accessed',
  EISDIR: 'is a directory',
  ENOENT: 'does not exist',
  ENOSPC: 'cannot be written: the disk is full',
  ENOTDIR: 'is below something that is no directory',
  EROFS: 'cannot be written: the file system is read-only',
}

const textOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return textOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const { code = '', path } = error as NodeJS.ErrnoException
  if (PLAIN[code] && path) return `${path} ${PLAIN[code]}`
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}

/** Whether errors are shown with their stack. */
const debugs = (env: NodeJS.ProcessEnv | undefined): boolean => {
  try {
    return ['debug', 'trace'].includes(readConfig(env).logLevel)
  } catch {
    return false
  }
}

/** The error as one line, or one line per variable for configuration errors; the stack if LYCEUM_LOG_LEVEL is debug or trace. */
export const explain = (error: unknown, env?: NodeJS.ProcessEnv): string => {
  if (error instanceof Error && debugs(env)) return `lyceum: ${error.stack ?? error.message}\n`
  return textOf(error)
    .split('\n')
    .slice(0, error instanceof ConfigError ? undefined : 1)
    .map((line) => `lyceum: ${line}\n`)
    .join('')
}
