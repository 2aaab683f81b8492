import type { IndexWatch } from './wal-index-watcher.ts'

/**
 * The read snapshot of one iteration of the event loop. Taking the locks of a read costs SQLite more than most statements do, so all reads of
 * an iteration share one read transaction. A request that is served from the cache takes none: the WAL index shows whether anything was
 * committed.
 *
 * A snapshot ends with its iteration, before a commit of this process (it would block the checkpoint), and at the next poll after a commit of
 * any process. So no request reads data older than itself.
 */
export const createReading = (reader: Sqlite.Database, index: IndexWatch, foreign: () => void) => {
  const begin = reader.prepare('begin')
  const finish = reader.prepare('commit')
  const giveUp = reader.prepare('rollback')
  const version = reader.prepare('pragma data_version').pluck()
  let open = false
  let closing = false
  let seen: unknown

  const end = () => {
    if (!open) return
    open = false
    try {
      if (reader.inTransaction) finish.run()
    } catch {
      // After an I/O error or on a damaged page, the commit fails as well.
      if (reader.inTransaction) giveUp.run()
    }
  }

  const endOfTurn = () => {
    closing = false
    end()
  }

  /** Starts a snapshot; returns a number that changes with every commit of another connection. */
  const take = () => {
    end()
    index.note()
    begin.run()
    open = true
    if (!closing) {
      closing = true
      setImmediate(endOfTurn)
    }
    return version.get()
  }

  /** Starts a snapshot that contains exactly those commits of other processes that were reported. */
  const renew = () => {
    for (let now = take(); now !== seen; now = take()) {
      seen = now
      end()
      foreign()
    }
  }

  return {
    /** Call it before each statement. */
    start: () => {
      if (!open) renew()
    },
    end,
    /** Reports commits of other processes, and ends a snapshot that is older. */
    look: () => {
      if (index.hasChanged()) renew()
    },
  }
}

export type Reading = ReturnType<typeof createReading>
