import type { Database, Db } from '../../../server/src/db/database.ts'
import { dialectOf } from '../../../server/src/db/database.ts'

/** Adapts a transaction to the Database interface: all reads and writes of the caller become part of the transaction. */
export const transactionDatabase = (db: Db): Database => {
  const within = <T>(work: (db: Db) => Promise<T>): Promise<T> => work(db)
  return {
    dialect: dialectOf(db),
    read: db,
    readWithReplica: within,
    write: within,
    waitUntilDurable: async () => {},
    snapshot: within,
    concurrentWrites: 1,
    unsafeSettings: async () => [],
    advice: async () => [],
    subscribeToChanges: () => null,
    signal: async () => {},
    onSignal: () => ({ stop: async () => {} }),
    queueDepth: () => 0,
    poolStats: () => null,
    lastWriteFailure: () => null,
    prepareForLoad: () => {},
    scrub: async () => {},
    ping: async () => {},
    integrity: async () => [],
    close: async () => {},
  }
}
