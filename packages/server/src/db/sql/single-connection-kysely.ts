import { type DatabaseConnection, type Dialect, Kysely } from 'kysely'
import type { Db } from '../database.ts'
import type { Schema } from '../schema.ts'

/** Kysely over one connection that is its user's alone: no pool, no mutex, and no transactions but those of others. */
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
  // There is one connection and no plugin: going through the executor would cost more than many a statement does.
  Object.defineProperty(db, 'executeQuery', { value: connection.executeQuery, configurable: true })
  return db
}
