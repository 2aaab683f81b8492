import Sqlite from 'better-sqlite3'
import pg from 'pg'

export interface ResultColumn {
  readonly name: string
  /** Of the values that JavaScript gets, as far as the database declares it. */
  readonly type: 'number' | 'string' | 'boolean' | null
}

/** Prepares a statement without running it. @throws when the database refuses it */
export interface Describer {
  readonly columns: (text: string) => Promise<readonly ResultColumn[]>
  readonly close: () => Promise<void>
}

/** SQLite declares no types of results: columns have none of their own after expressions. */
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
/** As `db/postgres/pool.ts` reads them. */
const TYPES = new Map<number, ResultColumn['type']>([
  ...[builtins.INT2, builtins.INT4, builtins.INT8, builtins.FLOAT4, builtins.FLOAT8, builtins.NUMERIC].map((id) => [id, 'number'] as const),
  ...[builtins.TEXT, builtins.VARCHAR, builtins.UUID].map((id) => [id, 'string'] as const),
  [builtins.BOOL, 'boolean'],
])

interface Fields {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** The messages of the protocol that prepare a statement and ask for its columns, as a query of `pg`. */
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
