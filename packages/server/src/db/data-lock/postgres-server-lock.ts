import pg from 'pg'
import { codeOf, TOO_MANY } from '../postgres/pool.ts'

/** A lock on a community's data; it is released when the process ends, however it ends. */
export interface ServerLock {
  release(): Promise<void>
  /** The servers on the same database; null if there can be only one. */
  readonly beside: Peers | null
}

/** What servers on one database must have in common, as 31-bit fingerprints. */
export interface ConfigFingerprint {
  readonly secret: number
  readonly files: number
  /** The migrations that it knows. */
  readonly schema: number
}

export interface Peers {
  /** Servers on this database, this one included. */
  readonly servers: number
  readonly sharesFiles: boolean
  /** The connection limit of the database server. */
  readonly mostConnections: number
}

/** `restore`, `demo` and `move` need the data exclusively. */
export type Holder = 'server' | 'restore' | 'move' | 'demo'

/** Another process has locked the data; the message names it. */
export class DataLocked extends Error {
  override name = 'DataLocked'
}

const LOCK = 4839202
/** Two-part advisory locks, the second part of which is a fingerprint. */
const SECRET = 4839203
const FILES = 4839204
const SCHEMA = 4839205
const RECONNECT_MS = 1000
/** The connection is checked at this interval, since an interrupted network causes no error. */
const HEARTBEAT_MS = 5000
const RESPONSE_WITHIN_MS = 3000

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true, application_name: 'lyceum hold' })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    if (codeOf(error) !== TOO_MANY) throw error
    throw new Error('PostgreSQL takes no more connections: lower LYCEUM_DATABASE_POOL, raise max_connections, or put a pooler in between', {
      cause: error,
    })
  }
  return client
}

/**
 * Behind a pooler in transaction mode, the locks belong to a transaction that stays open. It has no snapshot, so it does not block vacuum.
 */
const BEGIN = 'begin; set local idle_in_transaction_session_timeout = 0'

const OTHERS = `select l.classid::int as kind, l.objid::bigint as mark, count(*)::int as servers,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most
  from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2 and l.classid in (${SECRET}, ${FILES}, ${SCHEMA}) and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
  group by l.classid, l.objid`

interface OthersRow {
  readonly kind: number
  /** A bigint, which `pg` returns as text. */
  readonly mark: string
  readonly servers: number
  readonly most: number
}

interface Where {
  readonly url: string
  readonly isTransactionPooled: boolean
}

/**
 * Takes shared locks (a server) or exclusive ones on a connection that is re-established when it breaks.
 * @throws DataLocked when another process has an exclusive lock, or a server runs with another secret or other migrations
 */
export const lockServer = async (
  { url, isTransactionPooled }: Where,
  holder: Holder,
  fingerprint: ConfigFingerprint | null,
): Promise<ServerLock> => {
  const lock = (shared: boolean) => `pg_try_advisory${isTransactionPooled ? '_xact' : ''}_lock${shared ? '_shared' : ''}`
  let released = false
  let client = await connect(url)
  let timer: NodeJS.Timeout | undefined

  const take = async () => {
    if (isTransactionPooled) await client.query(BEGIN)
    const { rows } = await client.query<{ held: boolean }>(`select ${lock(holder === 'server')}(${LOCK}) as held`)
    if (rows[0]?.held !== true) return false
    if (!fingerprint) return true
    const shared = [`${SECRET}, ${fingerprint.secret}`, `${FILES}, ${fingerprint.files}`, `${SCHEMA}, ${fingerprint.schema}`]
    await client.query(`select ${shared.map((key) => `${lock(true)}(${key})`).join()}`)
    return true
  }
  const watch = () => {
    const current = client
    const look = setInterval(() => {
      const late = setTimeout(() => void current.end(), RESPONSE_WITHIN_MS)
      current
        .query('select 1')
        .catch(() => {})
        .finally(() => clearTimeout(late))
    }, HEARTBEAT_MS)
    look.unref()
    client.once('end', () => {
      clearInterval(look)
      if (released) return
      timer = setTimeout(again, RECONNECT_MS)
      timer.unref()
    })
  }
  const again = async () => {
    try {
      client = await connect(url)
      if (released) return await client.end()
      await take()
      watch()
    } catch {
      timer = setTimeout(again, RECONNECT_MS)
      timer.unref()
    }
  }
  const release = async () => {
    released = true
    clearTimeout(timer)
    await client.end().catch(() => {})
  }

  if (!(await take())) {
    await release()
    throw new DataLocked(
      holder === 'server'
        ? 'a restore into this database, a demo or a move is running'
        : 'a server, a restore, a demo or a move holds this database',
    )
  }
  watch()
  if (!fingerprint) return { release, beside: null }
  const { rows } = await client.query<OthersRow>(OTHERS)
  const of = (kind: number) => rows.filter((row) => row.kind === kind)
  if (of(SECRET).some((row) => Number(row.mark) !== fingerprint.secret)) {
    await release()
    throw new DataLocked(
      'another server on this database has another secret: application passwords would work on one of them only. Give all of them the same LYCEUM_SECRET, or the same file "secret" in their data directories',
    )
  }
  if (of(SCHEMA).some((row) => Number(row.mark) !== fingerprint.schema)) {
    await release()
    throw new DataLocked('a server of another version, which knows other tables, runs on this database: stop it before this one starts')
  }
  return {
    release,
    beside: {
      servers: of(SECRET).reduce((sum, row) => sum + row.servers, 0),
      sharesFiles: of(FILES).every((row) => Number(row.mark) === fingerprint.files),
      mostConnections: rows[0]?.most ?? 0,
    },
  }
}

/** Whether any process has locked the database. */
export const isServerLocked = async (url: string): Promise<boolean> => {
  const client = await connect(url)
  try {
    const { rowCount } = await client.query(
      `select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCK} and classid = 0 and granted
       and database = (select oid from pg_database where datname = current_database()) limit 1`,
    )
    return rowCount === 1
  } finally {
    await client.end()
  }
}
