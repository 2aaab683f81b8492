import type Sqlite from 'better-sqlite3'

/**
 * The moment that reads of one turn of the event loop see. Taking the locks of a read costs SQLite more than most of our statements do, so
 * those of a request share them; and whether anything was committed since the last look is told by the same step.
 *
 * A moment ends with the turn that it began in, before a commit of this process (which would have to leave its pages in the log), and at the
 * next look: nothing that a request reads is older than the request.
 */
export const createReading = (reader: Sqlite.Database, foreign: () => void) => {
  const begin = reader.prepare('begin')
  const finish = reader.prepare('commit')
  const version = reader.prepare('pragma data_version').pluck()
  let open = false
  let closing = false
  let seen: unknown

  const end = () => {
    if (!open) return
    open = false
    if (reader.inTransaction) finish.run()
  }

  const endOfTurn = () => {
    closing = false
    end()
  }

  const start = () => {
    if (open) return
    begin.run()
    open = true
    if (closing) return
    closing = true
    setImmediate(endOfTurn)
  }

  /** Begins a moment; the number that every commit of anybody changes. */
  const take = () => {
    end()
    start()
    return version.get()
  }

  return {
    start,
    end,
    /** Ends what was, and tells of commits by other processes; the moment that follows holds those that were told, and no others. */
    look: () => {
      for (let now = take(); now !== seen; now = take()) {
        seen = now
        end()
        foreign()
      }
    },
  }
}

export type Reading = ReturnType<typeof createReading>
