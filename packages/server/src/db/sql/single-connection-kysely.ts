import { type DatabaseConnection, type Dialect, Kysely } from 'kysely'
import type { Db } from '../database.ts'
import type { Schema } from '../schema.ts'

/** Kysely on one exclusive connection: no pool, no mutex, and no transactions of its own. */
export const kyselyOver = (
  connection: DatabaseConnection,
  dialect: Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>,
  whyNoTransactions: string,
): Db => {
  const refuse = async () => {
    throw new Error(whyNoTransactions)
  }
  const db = new Kysely<Schema>({
    dialect: {
      ...dialect,
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        releaseConnection: async () => {},
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        destroy: async () => {},
      }),
    },
  })
  // With one connection and no plugins, the executor is skipped: its overhead exceeds the cost of many statements.
  Object.defineProperty(db, 'executeQuery', { value: connection.executeQuery, configurable: true })
  return db
}
