import { type CompiledQuery, type DatabaseConnection, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { recordStatement } from '../changes/table-tags.ts'
import type { Db } from '../database.ts'
import { kyselyOver } from '../sql/single-connection-kysely.ts'
import { type Connections, resultFor, type Statement } from './pool.ts'

interface Waiting extends Statement {
  readonly resolve: (result: pg.QueryResult | Promise<pg.QueryResult>) => void
  readonly reject: (error: unknown) => void
}

const COMMIT = 'commit'
const ROLLBACK = 'rollback'

/**
 * Sends the statements of one transaction. Those that are issued before control returns to the event loop travel together, and BEGIN travels with
 * the first ones: the server skips the rest of a group after a failure, so nothing runs outside of the transaction if BEGIN fails.
 */
const createSession = (client: pg.PoolClient, { runTogether, onBegin }: Connections, begin: string) => {
  const opening: readonly Statement[] = [begin, ...onBegin].map((sql) => ({ sql, values: [] }))
  let waiting: Waiting[] = []
  let isBegun = false
  let isScheduled = false
  let isBusy = false
  /** The first error of a statement, which aborted the transaction. */
  let failure: unknown
  /** Why the transaction could not begin. */
  let notBegun: unknown

  const flush = async () => {
    isScheduled = false
    if (isBusy) return
    const statements = waiting
    waiting = []
    isBusy = true
    const prefix = isBegun ? [] : opening
    isBegun = true
    const results = runTogether(client, [...prefix, ...statements])
    for (const result of results.slice(0, prefix.length))
      result.catch((error) => {
        notBegun ??= error
      })
    for (const [i, { resolve }] of statements.entries()) resolve(results[prefix.length + i] as Promise<pg.QueryResult>)
    await Promise.allSettled(results)
    isBusy = false
    if (notBegun !== undefined) for (const { reject } of waiting.splice(0)) reject(notBegun)
    if (waiting.length > 0) schedule()
  }

  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    // Runs when the microtasks that issue further statements have run.
    process.nextTick(flush)
  }

  const send = (sql: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    waiting.push({ sql, values, resolve, reject })
    schedule()
    return promise
  }

  return {
    run: async (sql: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      if (notBegun !== undefined) throw notBegun
      recordStatement(sql)
      try {
        return await send(sql, values)
      } catch (error) {
        failure ??= error
        throw error
      }
    },
    /** COMMIT of an aborted transaction rolls back without an error. @throws the error that aborted it */
    commit: async (): Promise<void> => {
      if (!(isBegun || waiting.length > 0)) return
      if (notBegun !== undefined) throw notBegun
      const { command } = await send(COMMIT, [])
      if (command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back')
    },
    /** Returns whether nothing of the transaction remains on the connection. */
    rollback: async (): Promise<boolean> => {
      // In a group with ROLLBACK, a statement that fails would prevent it.
      for (const { reject } of waiting.splice(0)) reject(failure ?? new Error('the transaction is rolled back'))
      if (!isBegun) return true
      notBegun = undefined
      return send(ROLLBACK, []).then(
        () => true,
        () => false,
      )
    },
  }
}

/** Returns a function that runs `work` in a transaction; `begin` is the statement that begins it. */
export const createTransact = (connections: Connections) => {
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (of: Db) => new PostgresIntrospector(of),
  }
  return async <T>(begin: string, work: (db: Db) => Promise<T>): Promise<T> => {
    const client = await connections.connect()
    const session = createSession(client, connections, begin)
    let isOpen = true
    const executeQuery = async ({ sql, parameters }: CompiledQuery) => {
      if (!isOpen) throw new Error('the transaction has ended')
      return resultFor(await session.run(sql, parameters))
    }
    const db = kyselyOver({ executeQuery } as unknown as DatabaseConnection, dialect, 'a transaction contains no transactions')
    let isClean = true
    try {
      const result = await work(db)
      isOpen = false
      await session.commit()
      return result
    } catch (error) {
      isOpen = false
      isClean = await session.rollback()
      throw error
    } finally {
      connections.release(client, !isClean)
    }
  }
}
