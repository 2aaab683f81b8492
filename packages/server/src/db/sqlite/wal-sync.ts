import { once } from 'node:events'
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { DatabaseUnavailable } from '../database.ts'

/** Pages in the log from which on it is taken into the database file: 64 MB, to which SQLite cuts it down as well. */
const LARGE = 16_384
/** Whoever still reads what was before keeps the log from being taken in, or from beginning anew: it is tried again after that part of it. */
const AGAIN = 1 / 16

/** A sync that takes no longer holds up this thread less than going elsewhere for it would hold up the writes. */
const QUICK_MS = 2
/** Of so many syncs elsewhere one is done here, to see whether the disk has become quick. */
const LOOK_AGAIN = 100

/** What a disk says that gives out room only when data are brought to it. */
const FULL = new Set(['ENOSPC', 'EDQUOT'])

const CHECKPOINTS = new URL('./checkpoint-worker.ts', import.meta.url)

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
  // The first read makes the log. No lock of SQLite's is on it, so that it can be opened once more; it stays the same file as long as the
  // writer is open. A process that has run out of descriptors could not open it later.
  writer.prepare('select count(*) from sqlite_schema').get()
  const opened = openSync(`${file}-wal`, 'r+')
  let took = 0
  let elsewhere = 0
  let worker: Worker | null = null
  let round: Promise<void> | null = null
  /** How long the log was when it was last taken in, and at which length it will be next. */
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
    if (took > QUICK_MS && elsewhere < LOOK_AGAIN) return false
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
    // Asked for nothing it must not keep the process from ending.
    made.unref()
    return made
  }

  /** Whether the log is in the file as far as it went then. */
  const checkpoint = async (): Promise<boolean> => {
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
    next = taken + Math.max(1, large * AGAIN)
    writer.pragma('wal_autocheckpoint = 0')
    return pages.checkpointed === pages.log
  }

  /** Most of it is taken in beside further writes; the rest while they wait, so that the log can begin anew. */
  const takeIn = async (between: Between) => {
    if (!(await checkpoint())) return
    await between(async () => {
      await checkpoint()
    })
  }

  /** Without the thread the log would grow for ever; it is tried again after as much as would have called for it. */
  const giveUp = () => {
    worker = null
    taken = look.get()?.log ?? 0
    next = taken + large
    writer.pragma('wal_autocheckpoint = 1000')
  }

  /** Takes all of the log into the file and cuts it to nothing; what still is read by another process keeps it as it is. */
  const empty = async (between: Between, timeoutMs: number) => {
    await round
    if ((look.get()?.log ?? 0) > large * AGAIN) await takeIn(between).catch(giveUp)
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
    /** To be called after each commit. */
    committed: (between: Between) => {
      const log = look.get()?.log ?? 0
      // It has begun anew.
      if (log < taken) [taken, next] = [0, large]
      if (round || log < next) return
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
      closeSync(opened)
    },
  }
}
