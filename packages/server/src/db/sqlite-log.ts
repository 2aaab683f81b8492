import { once } from 'node:events'
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'

/** Pages in the log from which on it is taken into the database file: 64 MB, to which SQLite cuts it down as well. */
const LARGE = 16_384

/** A sync that takes no longer holds up this thread less than going elsewhere for it would hold up the writes. */
const QUICK_MS = 2
/** Of so many syncs elsewhere one is done here, to see whether the disk has become quick. */
const LOOK_AGAIN = 100

const CHECKPOINTS = new URL('./sqlite-checkpoints.ts', import.meta.url)

/** What SQLite tells of its log, in pages. */
interface Pages {
  readonly log: number
  readonly checkpointed: number
}

/** Runs `work` while nothing is written. */
type Between = (work: () => Promise<void>) => Promise<void>

/**
 * Looks after the write-ahead log of a connection in place of SQLite, which would hold up this thread: brings commits to the disk, and takes
 * the log into the database file in a thread of its own.
 */
export const followLog = (file: string, writer: Sqlite.Database, large = LARGE) => {
  writer.pragma('wal_autocheckpoint = 0')
  const look = writer.prepare<[], Pages>('pragma wal_checkpoint(noop)')
  let opened: number | null = null
  let took = 0
  let elsewhere = 0
  let worker: Worker | null = null
  let round: Promise<void> | null = null
  /** How long the log was when it was last taken in. */
  let taken = 0

  /** No lock of SQLite's is on the log itself, so that it can be opened once more; it stays the same file as long as the writer is open. */
  const open = (): number => {
    opened ??= openSync(`${file}-wal`, 'r+')
    return opened
  }

  const sync = async (): Promise<void> => {
    elsewhere += 1
    await promisify(fdatasync)(open())
  }

  const syncAtOnce = (): boolean => {
    if (took > QUICK_MS && elsewhere < LOOK_AGAIN) return false
    elsewhere = 0
    const since = performance.now()
    fdatasyncSync(open())
    took = performance.now() - since
    return true
  }

  const begin = () => {
    const made = new Worker(CHECKPOINTS, { workerData: file, execArgv: [] })
    // Asked for nothing it must not keep the process from ending.
    made.unref()
    return made
  }

  const checkpoint = async (): Promise<void> => {
    worker ??= begin()
    const asked = worker
    asked.ref()
    const over = new AbortController()
    const { signal } = over
    const ended = once(asked, 'exit', { signal }).then(() => Promise.reject(new Error('the thread that takes in the log has ended')))
    const answered = once(asked, 'message', { signal })
    asked.postMessage('checkpoint')
    // Whichever is not the first is called off.
    const [pages] = (await Promise.race([answered, ended]).finally(() => {
      over.abort()
      asked.unref()
    })) as [Pages]
    taken = pages.log
  }

  /** Most of it is taken in beside further writes; the rest while they wait, so that the log can begin anew. */
  const takeIn = async (between: Between) => {
    await checkpoint()
    await between(checkpoint)
  }

  /** Without the thread the log would grow for ever. */
  const giveUp = () => {
    worker = null
    writer.pragma('wal_autocheckpoint = 1000')
  }

  return {
    sync,
    syncAtOnce,
    /** To be called after each commit. */
    committed: (between: Between) => {
      const log = look.get()?.log ?? 0
      // It has begun anew.
      if (log < taken) taken = 0
      if (round || log - taken < large) return
      round = takeIn(between)
        .catch(giveUp)
        .finally(() => {
          round = null
        })
    },
    close: async () => {
      await round
      if (worker) {
        const ended = once(worker, 'exit')
        worker.ref()
        worker.postMessage('close')
        await ended
      }
      if (opened !== null) closeSync(opened)
    },
  }
}
