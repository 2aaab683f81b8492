import pg from 'pg'

/** Methods of `pg.Query` that `pg.Client` calls and the type declarations omit. */
interface WireQuery {
  readonly name?: string
  readonly text: string
  submit(connection: pg.Connection): Error | null
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
  handleEmptyQuery(connection: pg.Connection): void
  handleError(error: unknown, connection: pg.Connection): void
  handleReadyForQuery(connection: pg.Connection): void
}

/** State of a `pg.Connection` that the type declarations omit. */
interface WireConnection extends pg.Connection {
  readonly submittedNamedStatements: Record<string, string>
}

interface Pipeline {
  /** To be passed to `client.query`. */
  readonly submittable: pg.Submittable
  readonly results: readonly Promise<pg.QueryResult>[]
}

const ignore = () => {}
const withoutSync = { sync: { value: ignore } }

/**
 * Statements that are sent in one write and end with one Sync. The server runs them in order and skips those after a failed one, whose error
 * they reject with.
 */
export const createPipeline = (statements: readonly pg.QueryConfig[], types: pg.CustomTypesConfig, timeoutMs?: number): Pipeline => {
  const results: Promise<pg.QueryResult>[] = []
  /** The statement that the next message is about. */
  let at = 0
  /** Why a statement could not be sent, such as a value that cannot be converted. */
  let unsent: unknown = null
  const queries = statements.map((config) => {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    results.push(promise)
    const settle = (error: unknown, result: unknown) => {
      unsent ??= error
      if (error) reject(error)
      else resolve(result as pg.QueryResult)
    }
    return new pg.Query({ ...config, types, queryMode: 'extended' } as pg.QueryConfig, settle) as unknown as WireQuery
  })
  const current = () => queries[Math.min(at, queries.length - 1)] as WireQuery
  const submittable = {
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
    // The client marks this name as parsed.
    get name() {
      return current().name
    },
    get text() {
      return current().text
    },
    callback: ignore as (error?: unknown) => void,
    submit: (connection: WireConnection) => {
      const { stream } = connection
      const quiet = Object.create(connection, withoutSync)
      stream.cork()
      try {
        for (const query of queries) {
          unsent ??= query.submit(quiet)
          if (unsent) break
        }
        connection.sync()
      } finally {
        stream.uncork()
      }
      return null
    },
    handleRowDescription: (message: unknown) => current().handleRowDescription(message),
    handleDataRow: (message: unknown) => current().handleDataRow(message),
    handleCommandComplete: (message: unknown, connection: pg.Connection) => {
      current().handleCommandComplete(message, connection)
      at++
    },
    handleEmptyQuery: () => {
      at++
    },
    handleError: (error: unknown, connection: WireConnection) => {
      for (const query of queries.slice(0, at)) query.handleReadyForQuery(connection)
      for (const query of queries.slice(at)) {
        // Its Parse was skipped, so it must be sent again.
        if (query.name) delete connection.submittedNamedStatements[query.name]
        query.handleError(error, connection)
      }
      submittable.callback(error)
    },
    handleReadyForQuery: (connection: WireConnection) => {
      if (unsent) return submittable.handleError(unsent, connection)
      for (const query of queries) query.handleReadyForQuery(connection)
      submittable.callback()
    },
  }
  return { submittable: submittable as unknown as pg.Submittable, results }
}
