import { once } from 'node:events'
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { DatabaseUnavailable } from '../database.ts'

/** The WAL is checkpointed from this number of pages on: 64 MB, the value of `journal_size_limit`. */
const LARGE = 16_384
/** Old readers can block a checkpoint or the reset of the WAL: it is retried after this share of the limit. */
const RETRY_SHARE = 1 / 16

/** A sync that takes no longer runs on this thread: switching threads would cost more. */
const QUICK_MS = 2
/** After this many syncs off-thread, one runs here to measure whether the disk has become fast. */
const MEASURE_EVERY = 100

/** Codes of a full disk that allocates space only at the sync. */
const FULL = new Set(['ENOSPC', 'EDQUOT'])

const CHECKPOINTS = new URL('./checkpoint-worker.ts', import.meta.url)

/** The state of the WAL, in pages. */
interface Pages {
  readonly log: number
  readonly checkpointed: number
}

/** Runs `work` while nothing is written. */
type Between = (work: () => Promise<void>) => Promise<void>

/**
 * Syncs and checkpoints the WAL of a connection instead of SQLite, which would block this thread: commits are synced off-thread, and
 * checkpoints run in a worker.
 */
export const createWalSync = (file: string, writer: Sqlite.Database, limit = LARGE) => {
  let large = limit
  writer.pragma('wal_autocheckpoint = 0')
  const look = writer.prepare<[], Pages>('pragma wal_checkpoint(noop)')
  // The first read creates the WAL. SQLite holds no locks on it, so a second descriptor is safe, and it stays the same file while the writer is
  // open. It is opened now because the process may run out of descriptors later.
  writer.prepare('select count(*) from sqlite_schema').get()
  const opened = openSync(`${file}-wal`, 'r+')
  let took = 0
  let elsewhere = 0
  let worker: Worker | null = null
  let round: Promise<void> | null = null
  /** Size of the WAL at the last checkpoint, and the size that triggers the next one. */
  let taken = 0
  let next = large

  const failed = (error: unknown): never => {
    throw new DatabaseUnavailable(error, FULL.has(String((error as NodeJS.ErrnoException).code)))
  }

  const sync = async (): Promise<void> => {
    elsewhere += 1
    await promisify(fdatasync)(opened).catch(failed)
  }

  const syncAtOnce = (): boolean => {
    if (took > QUICK_MS && elsewhere < MEASURE_EVERY) return false
    elsewhere = 0
    const since = performance.now()
    try {
      fdatasyncSync(opened)
    } catch (error) {
      failed(error)
    }
    took = performance.now() - since
    return true
  }

  const begin = () => {
    const made = new Worker(CHECKPOINTS, { workerData: file, execArgv: [] })
    // An idle worker must not keep the process alive.
    made.unref()
    return made
  }

  /** Checkpoints the WAL; whether all of it was copied. */
  const checkpoint = async (): Promise<boolean> => {
    worker ??= begin()
    const asked = worker
    asked.ref()
    const over = new AbortController()
    const { signal } = over
    const ended = once(asked, 'exit', { signal }).then(() => Promise.reject(new Error('the checkpoint worker has ended')))
    const answered = once(asked, 'message', { signal })
    asked.postMessage('checkpoint')
    // Cancels the listener that did not fire.
    const [pages] = (await Promise.race([answered, ended]).finally(() => {
      over.abort()
      asked.unref()
    })) as [Pages]
    taken = pages.log
    next = taken + Math.max(1, large * RETRY_SHARE)
    writer.pragma('wal_autocheckpoint = 0')
    return pages.checkpointed === pages.log
  }

  /** Checkpoints most of the WAL while writes go on, and the rest while they wait, so that the WAL can restart from its beginning. */
  const checkpointAll = async (between: Between) => {
    if (!(await checkpoint())) return
    await between(async () => {
      await checkpoint()
    })
  }

  /** Without the worker the WAL would grow without limit, so SQLite checkpoints until the worker is started again. */
  const fallBack = () => {
    worker = null
    taken = look.get()?.log ?? 0
    next = taken + large
    writer.pragma('wal_autocheckpoint = 1000')
  }

  /** Checkpoints and truncates the WAL; a reader in another process prevents that. */
  const empty = async (between: Between, timeoutMs: number) => {
    await round
    if ((look.get()?.log ?? 0) > large * RETRY_SHARE) await checkpointAll(between).catch(fallBack)
    await between(async () => {
      writer.pragma('busy_timeout = 0')
      try {
        writer.pragma('wal_checkpoint(truncate)')
      } finally {
        writer.pragma(`busy_timeout = ${timeoutMs}`)
      }
    })
  }

  return {
    sync,
    syncAtOnce,
    empty,
    /** Lets the WAL grow to this number of pages. */
    allow: (pages: number) => {
      next += pages - large
      large = pages
    },
    /** Call it after each commit. */
    committed: (between: Between) => {
      const log = look.get()?.log ?? 0
      // The WAL has restarted.
      if (log < taken) [taken, next] = [0, large]
      if (round || log < next) return
      round = checkpointAll(between)
        .catch(fallBack)
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
      closeSync(opened)
    },
  }
}
