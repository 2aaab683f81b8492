import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Answers } from './plain-server.ts'

export const LYCEUM = fileURLToPath(new URL('../packages/server/bin/lyceum.mjs', import.meta.url))
/** Entry point of the sources, used without a build, so that a profile shows file names. */
const SOURCES = fileURLToPath(new URL('../packages/server/src/cli/main.ts', import.meta.url))
const PLAIN = fileURLToPath(new URL('./plain-server.ts', import.meta.url))

/** Clock ticks per second of process times in Linux. */
const MS_PER_TICK = 10

export interface Place {
  readonly dataDir: string
  /** Empty: the SQLite file in the data directory. */
  readonly databaseUrl: string
  /** Additional environment variables. */
  readonly settings?: Readonly<Record<string, string>>
  /** The launcher of another checkout. */
  readonly launcher?: string
}

export interface Running {
  /** Origin of the server: scheme, host and port. */
  readonly origin: string
  stop(): Promise<void>
}

export interface Lyceum extends Running {
  /** URL of the API. */
  readonly base: string
  /** URL of the debugger, if enabled. */
  readonly inspector: string | undefined
  /** CPU time of all threads so far in ms; undefined if unknown. */
  cpuMs(): number | undefined
  /** Resident memory in MiB. */
  rss(): number | undefined
}

/** Environment variables of every Lyceum process of this run. */
export const settingsOf = ({ dataDir, databaseUrl, settings }: Place) => ({
  LYCEUM_DATA_DIR: dataDir,
  LYCEUM_DATABASE_URL: databaseUrl,
  LYCEUM_LOG_LEVEL: 'warn',
  LYCEUM_RATE_LIMIT: 'off',
  LYCEUM_PORT: '0',
  NODE_ENV: 'production',
  ...settings,
})

/** The environment of every Lyceum process of this run, without settings of the caller. */
const environment = (place: Place): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LYCEUM_') && name !== 'NODE_OPTIONS')),
  ...settingsOf(place),
})

/** Ends a child process on exit, before its directory is removed. Returns a function that cancels it. */
const bind = (child: ChildProcess) => {
  const kill = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', kill)
  return () => process.removeListener('exit', kill)
}

/**
 * Runs a command of the Lyceum command line and returns its output.
 * @throws Error with its output if it fails
 */
export const lyceum = async (place: Place, ...args: readonly string[]): Promise<string> => {
  const child = spawn(process.execPath, [place.launcher ?? LYCEUM, ...args], { env: environment(place), stdio: ['ignore', 'pipe', 'pipe'] })
  const unbind = bind(child)
  const said: string[] = []
  const printed: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text) => printed.push(text))
  child.stderr.setEncoding('utf8').on('data', (text) => said.push(text))
  const [code] = await once(child, 'close')
  unbind()
  if (code !== 0) throw new Error(`lyceum ${args.join(' ')} ended with ${code}:\n${said.join('')}${printed.join('')}`)
  return printed.join('')
}

const stopper = (child: ChildProcess) => {
  const unbind = bind(child)
  return async () => {
    unbind()
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

/** The first match in the output of a stream, which is read to its end. */
const find = async (stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string | undefined> => {
  for await (const line of createInterface(stream)) {
    const found = pattern.exec(line)?.[1]
    if (!found) continue
    stream.resume()
    return found
  }
  return undefined
}

/** Fields of /proc/PID/stat after the program name, which can contain any characters. */
const statOf = (pid: number): string[] | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return undefined
  }
}

const cpuOf = (pid: number) => {
  const stat = statOf(pid)
  return stat && (Number(stat[11]) + Number(stat[12])) * MS_PER_TICK
}

const rssOf = (pid: number) => {
  try {
    const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib && Number(kib) / 1024
  } catch {
    return undefined
  }
}

/** Starts the real server on a free port. */
export const startLyceum = async (place: Place, { inspect = false } = {}): Promise<Lyceum> => {
  const program = inspect ? ['--inspect=127.0.0.1:0', '--semi-space-growth-factor=1', SOURCES] : [place.launcher ?? LYCEUM]
  const child = spawn(process.execPath, [...program, 'serve'], { env: environment(place), stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid === undefined) throw new Error('the server did not start')
  const stop = stopper(child)
  const inspector = inspect ? await find(child.stderr, /listening on (ws:\S+)/) : undefined
  child.stderr.pipe(process.stderr)
  const base = await find(child.stdout, /listening on (\S+)/)
  if (!base) throw new Error('the server exited before it was ready')
  return { base, origin: new URL(base).origin, inspector, stop, cpuMs: () => cpuOf(pid), rss: () => rssOf(pid) || undefined }
}

/** Starts a plain `node:http` server that sends these responses from memory. */
export const startPlain = async (answers: Answers): Promise<Running & Pick<Lyceum, 'cpuMs'>> => {
  const child = fork(PLAIN, { execPath: process.execPath, execArgv: [] })
  const stop = stopper(child)
  child.send(answers)
  const [port] = await once(child, 'message')
  return { origin: `http://127.0.0.1:${port}`, stop, cpuMs: () => child.pid && cpuOf(child.pid) }
}

const REST_CHECK_MS = 500
const AT_REST = 0.04
const LONGEST_REST_MS = 120_000

/** Waits until background jobs are done, so that they do not affect the next measurement. */
export const atRest = async (server: Lyceum): Promise<void> => {
  const end = performance.now() + LONGEST_REST_MS
  let quiet = 0
  let before = server.cpuMs()
  if (before === undefined) return sleep(2000)
  while (quiet < 2) {
    await sleep(REST_CHECK_MS)
    const after = server.cpuMs()
    if (after === undefined) throw new Error('the server has exited')
    quiet = (after - before) / REST_CHECK_MS < AT_REST ? quiet + 1 : 0
    before = after
    if (performance.now() > end) throw new Error('the server does not become idle')
  }
}
