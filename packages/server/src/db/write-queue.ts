import type Sqlite from 'better-sqlite3'
import { DatabaseUnavailable, type Db } from './database.ts'

/** Most writes that share one commit; beyond it the first of them would wait too long for its answer. */
const BATCH = 256

interface Waiting {
  readonly work: (db: Db) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly item: Waiting; readonly value?: unknown; readonly error?: unknown }

/**
 * Group commit. The writes that wait in one turn of the event loop run one after the other, each in its own savepoint so that one
 * failure does not undo its neighbours, inside one BEGIN IMMEDIATE … COMMIT; they are answered after the commit is on disk.
 */
export const createWriteQueue = (connection: Sqlite.Database, db: Db, unavailable: (error: unknown) => unknown, committed: () => void) => {
  const begin = connection.prepare('begin immediate')
  const commit = connection.prepare('commit')
  const rollback = connection.prepare('rollback')
  const savepoint = connection.prepare('savepoint one')
  const release = connection.prepare('release one')
  const undo = connection.prepare('rollback to one')

  let waiting: Waiting[] = []
  let running: Promise<void> | null = null

  const runOne = async (item: Waiting): Promise<Outcome> => {
    savepoint.run()
    try {
      const value = await item.work(db)
      release.run()
      return { item, value }
    } catch (error) {
      // A full disk or a failed write makes SQLite end the transaction by itself; then the whole batch is lost.
      if (!connection.inTransaction) throw new DatabaseUnavailable(error, error instanceof DatabaseUnavailable && error.storageFull)
      undo.run()
      release.run()
      return { item, error }
    }
  }

  const runBatch = async (batch: readonly Waiting[]) => {
    const outcomes: Outcome[] = []
    try {
      begin.run()
      for (const item of batch) outcomes.push(await runOne(item))
      commit.run()
    } catch (error) {
      if (connection.inTransaction) rollback.run()
      for (const item of batch) item.reject(unavailable(error))
      return
    }
    committed()
    for (const { item, value, error } of outcomes) {
      if (error === undefined) item.resolve(value)
      else item.reject(error)
    }
  }

  const drain = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      await runBatch(batch)
      // Let the answers go out and further requests come in, so that the next commit is shared by as many as possible.
      await nextTurn()
    }
    running = null
  }

  /** The turn after this one: until then further writes may join. */
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

  const write = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      running ??= nextTurn().then(drain)
    })

  /** Resolves when nothing waits any more. */
  const drained = async () => {
    while (running !== null) await running
  }

  return { write, drained }
}
