import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../db/index.ts'

const reading = new AsyncLocalStorage<string>()

/** Runs the handler of a read-only operation. A guarded database refuses writes in it. */
export const asRead = <T>(operation: string, work: () => Promise<T>): Promise<T> => reading.run(operation, work)

/** Runs work that a read triggers but that is not part of it, such as recording a visit. */
export const besideRead = <T>(work: () => Promise<T>): Promise<T> => reading.exit(work)

/** Makes a database refuse writes that start in read-only operations; for tests. */
export const guardReads = (database: Database): void => {
  const { write } = database
  database.write = (work, ...options) => {
    const operation = reading.getStore()
    return operation === undefined ? write(work, ...options) : Promise.reject(new Error(`${operation} only reads, and began a write`))
  }
}
