import type { Database, Db } from '../src/db/index.ts'
import type { World } from './world.ts'

/** Carries what a write came to out of its transaction, which is rolled back by it. */
class Rehearsed extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('rehearsed')
    this.value = value
  }
}

/**
 * From now on each write runs whole, is answered as if it had been stored, and is rolled back: thousands of requests leave no trace on each
 * other. `look` sees what it would have left behind. The result ends the rehearsal.
 */
export const rehearse = ({ app }: World, look?: (db: Db) => Promise<void>): (() => void) => {
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
