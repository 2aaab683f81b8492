import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Answers } from './plain-server.ts'

const LYCEUM = fileURLToPath(new URL('../packages/server/bin/lyceum.mjs', import.meta.url))
/** What the launcher loads when nothing was built: a profile names its files. */
const SOURCES = fileURLToPath(new URL('../packages/server/src/cli/main.ts', import.meta.url))
const PLAIN = fileURLToPath(new URL('./plain-server.ts', import.meta.url))

/** Linux counts the time of processes in hundredths of a second. */
const MS_PER_TICK = 10

export interface Place {
  readonly dataDir: string
  /** Empty: the SQLite file in the data directory. */
  readonly databaseUrl: string
  /** Further variables of Lyceum. */
  readonly settings?: Readonly<Record<string, string>>
  /** The launcher to run, where it is another checkout's. */
  readonly launcher?: string
}

export interface Running {
  /** Where requests go: scheme, host and port. */
  readonly origin: string
  stop(): Promise<void>
}

export interface Lyceum extends Running {
  /** Full address of the API. */
  readonly base: string
  /** Address of the debugger, if it was asked for. */
  readonly inspector: string | undefined
  /** Time that all threads have spent so far, in ms; undefined where the system does not tell. */
  cpuMs(): number | undefined
  /** Resident memory in MiB. */
  rss(): number | undefined
}

/** Lyceum's variables in every process of this run. */
export const settingsOf = ({ dataDir, databaseUrl, settings }: Place) => ({
  LYCEUM_DATA_DIR: dataDir,
  LYCEUM_DATABASE_URL: databaseUrl,
  LYCEUM_LOG_LEVEL: 'warn',
  LYCEUM_RATE_LIMIT: 'off',
  LYCEUM_PORT: '0',
  NODE_ENV: 'production',
  ...settings,
})

/** The environment of every Lyceum process of this run: nothing of the caller's own settings. */
const environment = (place: Place): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LYCEUM_') && name !== 'NODE_OPTIONS')),
  ...settingsOf(place),
})

/** Ends a child with this process, before what it works on is removed. Gives what calls that off. */
const bind = (child: ChildProcess) => {
  const kill = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', kill)
  return () => process.removeListener('exit', kill)
}

/**
 * Runs a command of Lyceum's command line to its end; what it printed.
 * @throws Error with what it said when it fails
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

/** The first match in what a stream prints, which is read on to its end. */
const find = async (stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string | undefined> => {
  for await (const line of createInterface(stream)) {
    const found = pattern.exec(line)?.[1]
    if (!found) continue
    stream.resume()
    return found
  }
  return undefined
}

/** Fields of /proc/PID/stat behind the name of the program, which may hold anything. */
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
  if (!base) throw new Error('the server ended before it listened')
  return { base, origin: new URL(base).origin, inspector, stop, cpuMs: () => cpuOf(pid), rss: () => rssOf(pid) || undefined }
}

/** Starts a bare `node:http` server that sends these answers from memory. */
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

/** Waits until the server has done its background work, so that it takes nothing from the next measurement. */
export const atRest = async (server: Lyceum): Promise<void> => {
  const end = performance.now() + LONGEST_REST_MS
  let quiet = 0
  let before = server.cpuMs()
  if (before === undefined) return sleep(2000)
  while (quiet < 2) {
    await sleep(REST_CHECK_MS)
    const after = server.cpuMs()
    if (after === undefined) throw new Error('the server has ended')
    quiet = (after - before) / REST_CHECK_MS < AT_REST ? quiet + 1 : 0
    before = after
    if (performance.now() > end) throw new Error('the server does not come to rest')
  }
}
