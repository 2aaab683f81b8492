import Sqlite from 'better-sqlite3'
import pg from 'pg'

export interface ResultColumn {
  readonly name: string
  /** The JavaScript type of the values; null if the database does not declare one. */
  readonly type: 'number' | 'string' | 'boolean' | null
}

/** Prepares a statement without running it. @throws if the database rejects it */
export interface Describer {
  readonly columns: (text: string) => Promise<readonly ResultColumn[]>
  readonly close: () => Promise<void>
}

/** SQLite does not declare the types of result columns, because expressions have none. */
export const describeOnSqlite = (file: string): Describer => {
  const database = new Sqlite(file)
  return {
    columns: async (text) => {
      const prepared = database.prepare(text.replace(/\$\d+/g, '?'))
      return prepared.reader ? prepared.columns().map(({ name }) => ({ name, type: null })) : []
    },
    close: async () => void database.close(),
  }
}

const { builtins } = pg.types
/** PostgreSQL type ids with the JavaScript types to which `db/postgres/pool.ts` converts them. */
const TYPES = new Map<number, ResultColumn['type']>([
  ...[builtins.INT2, builtins.INT4, builtins.INT8, builtins.FLOAT4, builtins.FLOAT8, builtins.NUMERIC].map((id) => [id, 'number'] as const),
  ...[builtins.TEXT, builtins.VARCHAR, builtins.UUID].map((id) => [id, 'string'] as const),
  [builtins.BOOL, 'boolean'],
])

interface Fields {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** A `pg` query that only sends the protocol messages Parse and Describe, to get the columns of a statement. */
const descriptionOf = (text: string, done: (error: Error | null, columns: readonly ResultColumn[]) => void) => {
  let columns: readonly ResultColumn[] = []
  return {
    submit: (connection: pg.Connection) => {
      connection.parse({ name: '', text, types: [] }, true)
      connection.describe({ type: 'S', name: '' }, true)
      connection.sync()
    },
    handleRowDescription: ({ fields }: Fields) => {
      columns = fields.map(({ name, dataTypeID }) => ({ name, type: TYPES.get(dataTypeID) ?? null }))
    },
    handleError: (error: Error) => done(error, []),
    handleReadyForQuery: () => done(null, columns),
  }
}

export const describeOnPostgres = async (connectionString: string): Promise<Describer> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return {
    columns: (text) =>
      new Promise((resolve, reject) => {
        client.query(descriptionOf(text, (error, columns) => (error ? reject(error) : resolve(columns))) as unknown as pg.Submittable)
      }),
    close: () => client.end(),
  }
}
