import { createConnection } from 'mysql2'
import { UnreadableSource } from '../../source.ts'
import type { TableShape, Value, Wanted } from '../shape.ts'
import type { Staging } from '../staging.ts'

type Connection = ReturnType<typeof createConnection>

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``

/** `mysql://user:password@host:3306/database`; `?ssl=true` requires TLS, `?socket=/path` names a socket. */
const connect = (address: string): Connection => {
  const url = new URL(address)
  const socket = url.searchParams.get('socket')
  const ssl = url.searchParams.get('ssl')
  return createConnection({
    host: url.hostname.replace(/^\[|\]$/g, '') || 'localhost',
    port: url.port === '' ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(socket ? { socketPath: socket } : {}),
    ...(ssl === null || ssl === 'false' ? {} : { ssl: {} }),
    charset: 'utf8mb4',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    multipleStatements: false,
    connectTimeout: 20_000,
  })
}

/** Streams the rows of a query as arrays. */
const rowsOf = (connection: Connection, sql: string): AsyncIterable<unknown[]> =>
  connection.query({ sql, rowsAsArray: true }).stream({ highWaterMark: 500 })

const all = (connection: Connection, sql: string) => Array.fromAsync(rowsOf(connection, sql))

/** Converts a value to its form in a dump: numbers are text, which the column type converts. */
const staged = (value: unknown, asBytes: boolean): Value => {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return asBytes ? value : value.toString('utf8')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const copy = async (staging: Staging, connection: Connection, table: string, shape: TableShape): Promise<void> => {
  const types = new Map(Object.entries(shape.columns).map(([column, type]) => [column.toLowerCase(), type]))
  const there = (await all(connection, `show columns from ${quoted(table)}`)).map(([name]) => String(name))
  const columns = there.filter((name) => types.has(name.toLowerCase()))
  if (columns.length === 0) return
  const loader = staging.loader(table, shape, columns)
  const asBytes = columns.map((column) => types.get(column.toLowerCase()) === 'blob')
  let count = 0
  for await (const row of rowsOf(connection, `select ${columns.map(quoted).join(', ')} from ${quoted(table)}`)) {
    const values = row.map((value, at) => staged(value, asBytes[at] as boolean))
    loader.add(values, `row ${++count}`)
  }
}

/** Copies the wanted tables of a MySQL or MariaDB server in a read-only snapshot. */
export const stageMysqlServer = async (staging: Staging, address: string, wanted: Wanted): Promise<void> => {
  const connection = connect(address)
  // Queries report connection errors: the one that is interrupted, or the next one.
  connection.on('error', () => {})
  try {
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
    await all(connection, 'set session transaction isolation level repeatable read')
    await all(connection, 'start transaction with consistent snapshot, read only')
    for (const [name] of await all(connection, 'show tables')) {
      const shape = wanted(String(name))
      if (shape) await copy(staging, connection, String(name), shape)
    }
  } catch (error) {
    if (error instanceof UnreadableSource || !(error instanceof Error) || !('code' in error)) throw error
    throw new UnreadableSource(`The database cannot be read: ${error.message || error.code}`)
  } finally {
    connection.destroy()
  }
}
