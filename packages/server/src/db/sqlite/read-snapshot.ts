import type Sqlite from 'better-sqlite3'
import type { IndexWatch } from './wal-index-watcher.ts'

/**
 * The moment that reads of one turn of the event loop see. Taking the locks of a read costs SQLite more than most of our statements do, so
 * those of a request share them, and a request that reads nothing takes none: the index of the log tells whether anything was committed.
 *
 * A moment ends with the turn that it began in, before a commit of this process (which would have to leave its pages in the log), and at the
 * next look after a commit of anybody: nothing that a request reads is older than the request.
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
      // What a statement has failed at (a damaged page, a disk that does not read) fails the end of its moment once more.
      if (reader.inTransaction) giveUp.run()
    }
  }

  const endOfTurn = () => {
    closing = false
    end()
  }

  /** Begins a moment; the number that every commit of anybody changes. */
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

  /** Begins a moment that holds those commits by other processes that were told, and no others. */
  const renew = () => {
    for (let now = take(); now !== seen; now = take()) {
      seen = now
      end()
      foreign()
    }
  }

  return {
    /** To be called before each statement. */
    start: () => {
      if (!open) renew()
    },
    end,
    /** Tells of commits by other processes; a moment that is older than them ends. */
    look: () => {
      if (index.hasChanged()) renew()
    },
  }
}

export type Reading = ReturnType<typeof createReading>
