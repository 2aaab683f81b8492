import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Env, processEnv } from '#test/command.ts'

const PROGRAM = fileURLToPath(new URL('../../server/bin/lyceum.mjs', import.meta.url))

/** A server in its own process that tests observe and disrupt from outside. */
export interface Victim {
  readonly base: string
  /** The process of the server itself, even if a wrapper runs it. */
  readonly pid: number
  /** Its standard error so far. */
  output(): string
  readonly running: boolean
  /** Resolves with the exit code, or null after a signal. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** A failed start. */
export class NoStart extends Error {
  readonly code: number | null
  constructor(code: number | null, said: string) {
    super(said)
    this.code = code
  }
}

export interface Around {
  /** A program and arguments that run the server, such as a tracer. */
  readonly wrapper?: readonly string[]
  readonly uid?: number
  /** The program to run instead of the command line. */
  readonly program?: string
}

/** The process that a tracer runs; any other wrapper is replaced by the server through exec. */
const serverOf = (pid: number): number => {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return Number(first) || pid
}

const started = (child: ChildProcess): Promise<Victim> =>
  new Promise((resolve, reject) => {
    let out = ''
    let err = ''
    let running = true
    const ended = new Promise<number | null>((done) => child.once('close', done))
    void ended.then((code) => {
      running = false
      reject(new NoStart(code, err))
    })
    child.stderr?.on('data', (chunk) => {
      err += chunk
    })
    child.stdout?.on('data', (chunk) => {
      out += chunk
      const base = /^Lyceum is listening on (\S+)$/m.exec(out)?.[1]
      if (!base || !child.pid) return
      const pid = serverOf(child.pid)
      resolve({
        base,
        pid,
        output: () => err,
        get running() {
          return running
        },
        end: (signal) => {
          if (running) process.kill(pid, signal)
          return ended
        },
      })
    })
  })

/** Starts a server; resolves once it listens. @throws NoStart when it exits instead */
export const startVictim = (env: Env, { wrapper = [], uid, program = PROGRAM }: Around = {}): Promise<Victim> => {
  const [first, ...args] = [...wrapper, process.execPath, program, 'serve']
  const child = spawn(first as string, args, {
    env: processEnv({ LYCEUM_PORT: '0', LYCEUM_LOG_LEVEL: 'error', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid }),
  })
  return started(child)
}

/** Limits the file size or the number of open files of a running process; `unlimited` removes the limit. */
export const limit = ({ pid }: Victim, what: 'fsize' | 'nofile', most: number | 'unlimited'): void => {
  const [, hard] = /^Max open files +\S+ +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? []
  const soft = most === 'unlimited' && what === 'nofile' ? hard : most
  execFileSync('prlimit', ['--pid', String(pid), `--${what}=${soft}:`])
}

export const openFiles = ({ pid }: Victim): number => readdirSync(`/proc/${pid}/fd`).length
