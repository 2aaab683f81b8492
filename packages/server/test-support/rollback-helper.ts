import type { Database, Db } from '../src/db/index.ts'
import type { World } from './world.ts'

/** Carries the result of a write out of its transaction, which it rolls back. */
class Rehearsed extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('rehearsed')
    this.value = value
  }
}

/**
 * From now on, every write runs completely and gets its normal response, but is rolled back, so that thousands of requests do not affect
 * each other. `look` sees the uncommitted data. The returned function stops this.
 */
export const rollBackWrites = ({ app }: World, look?: (db: Db) => Promise<void>): (() => void) => {
  const database = app.services.database as { write: Database['write'] }
  const write = database.write
  database.write = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    try {
      return (await write.call(database, async (db: Db): Promise<T> => {
        const value = await work(db)
        await look?.(db)
        throw new Rehearsed(value)
      })) as T
    } catch (error) {
      if (error instanceof Rehearsed) return error.value as T
      throw error
    }
  }
  return () => {
    database.write = write
  }
}
