import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Config } from '../config.ts'
import { ConfigError, deprecatedVariables, readConfig, unknownVariables } from '../config.ts'

/** Where a command speaks and listens; tests hand in one of their own. */
export interface Terminal {
  /** Undefined: the process's own. */
  readonly env?: NodeJS.ProcessEnv
  out(text: string): void
  err(text: string): void
  /** log2 of what hashing a password costs; tests take less than the default. */
  readonly passwordCost?: number
  /** The row count from which an empty community is filled with a bulk load; tests set a lower one. */
  readonly many?: number
  /** Whether a person sits at standard error, who likes to see progress. */
  readonly shows: boolean
  /** A secret: typed unseen by a person, else the first line of standard input; empty when there is none. */
  secret(question: string): Promise<string>
}

/** An error whose message is all that a person needs; exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError'
}

const typedUnseen = async (question: string): Promise<string> => {
  process.stderr.write(question)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
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

/** The configuration of a command; names on standard error what looks misspelt. */
export const configFor = (terminal: Terminal): Config => {
  for (const name of unknownVariables(terminal.env))
    terminal.err(`lyceum: ${name} is not a variable of Lyceum; "lyceum config" lists them\n`)
  for (const { former, name } of deprecatedVariables(terminal.env)) terminal.err(`lyceum: ${former} is deprecated; use ${name}\n`)
  return readConfig(terminal.env, (path) => readFileSync(path, 'utf8'))
}

const textOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return textOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}

/** Whether somebody looks for a mistake of ours. */
const debugs = (env: NodeJS.ProcessEnv | undefined): boolean => {
  try {
    return ['debug', 'trace'].includes(readConfig(env).logLevel)
  } catch {
    return false
  }
}

/** One line (one a variable for the configuration) that says what is wrong; the whole stack where LYCEUM_LOG_LEVEL is debug. */
export const explain = (error: unknown, env?: NodeJS.ProcessEnv): string => {
  if (error instanceof Error && debugs(env)) return `lyceum: ${error.stack ?? error.message}\n`
  return textOf(error)
    .split('\n')
    .slice(0, error instanceof ConfigError ? undefined : 1)
    .map((line) => `lyceum: ${line}\n`)
    .join('')
}
