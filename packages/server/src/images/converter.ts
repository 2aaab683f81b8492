import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { childEnvironment } from '../config.ts'
import { StorageUnavailable } from '../storage/object-storage.ts'
import { BusyError } from '../util/semaphore.ts'
import type { Conversion, ConvertedImage } from './convert.ts'
import { BadImage } from './errors.ts'

/** What the child process reports about one conversion. */
export type ConversionResult =
  | { readonly ok: true; readonly image: ConvertedImage; readonly memory: number }
  | { readonly ok: false; readonly message: string; readonly storage: { readonly full: boolean } | null }

interface ConverterOptions {
  /** Ends the child process after this time without a conversion. */
  readonly idleMs?: number
  /** Ends the child process when one conversion takes longer. */
  readonly timeoutMs?: number
  /** Replaces a child process that uses more memory than this after a conversion, in bytes. */
  readonly maxMemory?: number
  readonly program?: URL
}

const PROGRAM = new URL('./converter-process.ts', import.meta.url)
const ATTEMPTS = 2
/** One conversion needs two threads: one for libvips and one for files. */
const THREADS = { UV_THREADPOOL_SIZE: '2' }
const EXEC_ARGV = ['--max-old-space-size=64', '--disable-warning=ExperimentalWarning']

type Outcome = ConversionResult | 'crashed' | 'timed out'

/**
 * Converts images in a child process of low priority, one at a time, so that decoding a large image does not take processor time from requests.
 * The process is started for the first image, ended when idle, and replaced when it has crashed, timed out or grown.
 */
export const createConverter = ({
  idleMs = 60_000,
  timeoutMs = 150_000,
  maxMemory = 256 * 2 ** 20,
  program = PROGRAM,
}: ConverterOptions = {}) => {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  const end = async () => {
    clearTimeout(idle)
    const ending = child
    child = null
    if (!ending || ending.pid === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const exited = once(ending, 'exit')
    ending.kill('SIGKILL')
    await exited
  }

  const start = (): ChildProcess => {
    const started = fork(program, {
      env: { ...childEnvironment(), ...THREADS },
      execArgv: EXEC_ARGV,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    // An idle child process must not keep a command of the command line from ending.
    started.unref()
    started.channel?.unref()
    started.once('exit', () => {
      if (child === started) child = null
    })
    started.on('error', () => {})
    return started
  }

  const running = (): ChildProcess => {
    child ??= start()
    if (child.pid !== undefined) return child
    child = null
    throw new BusyError('The image converter cannot be started.')
  }

  const attempt = (conversion: Conversion): Promise<Outcome> => {
    const current = running()
    current.ref()
    current.channel?.ref()
    return new Promise<Outcome>((resolve) => {
      const finish = (outcome: Outcome) => {
        clearTimeout(timer)
        current.off('message', finish)
        current.off('exit', crashed)
        current.unref()
        current.channel?.unref()
        resolve(outcome)
      }
      const crashed = () => finish('crashed')
      const timer = setTimeout(() => finish('timed out'), timeoutMs)
      current.once('message', finish)
      current.once('exit', crashed)
      current.send(conversion, (error) => error && crashed())
    })
  }

  const imageOf = (outcome: Outcome): ConvertedImage => {
    if (typeof outcome === 'string') throw new BadImage('The image cannot be read.', { cause: new Error(`the image converter ${outcome}`) })
    if (outcome.ok) return outcome.image
    if (outcome.storage) throw new StorageUnavailable(outcome.message, outcome.storage.full)
    throw new BadImage(outcome.message)
  }

  const run = async (conversion: Conversion): Promise<ConvertedImage> => {
    clearTimeout(idle)
    let outcome: Outcome = 'crashed'
    for (let n = 0; n < ATTEMPTS && outcome === 'crashed'; n++) {
      outcome = await attempt(conversion)
      if (typeof outcome === 'string' || (outcome.ok && outcome.memory > maxMemory)) await end()
    }
    idle = setTimeout(end, idleMs).unref()
    return imageOf(outcome)
  }

  /** Starts `task` after the preceding one has ended. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }

  return {
    /** @throws BadImage also when the child process crashes twice or times out; BusyError, StorageUnavailable */
    convert: (conversion: Conversion): Promise<ConvertedImage> => inTurn(() => run(conversion)),
    /** Ends the child process after the conversions that have been requested. */
    close: (): Promise<void> => inTurn(end),
    /** Process id of the child process; null if there is none. */
    pid: (): number | null => child?.pid ?? null,
  }
}
