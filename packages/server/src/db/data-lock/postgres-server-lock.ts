import pg from 'pg'
import { codeOf, TOO_MANY } from '../postgres/pool.ts'

/** A hold on a community's data; it ends with its process, however that dies. */
export interface Hold {
  release(): Promise<void>
  /** How this server stands to the others on the same database; null where there can be none. */
  readonly beside: Beside | null
}

/** What servers on one database must have in common, as numbers of 31 bits that tell it apart. */
export interface Marks {
  readonly secret: number
  readonly files: number
  /** The tables as it knows them. */
  readonly schema: number
}

export interface Beside {
  /** Servers on this database, this one included. */
  readonly servers: number
  readonly sharesFiles: boolean
  /** Most connections that the database server takes. */
  readonly mostConnections: number
}

/** `server`: serves the data. `restore` and `demo` fill them, `move` takes them elsewhere; these want nobody else. */
export type Holder = 'server' | 'restore' | 'move' | 'demo'

/** Somebody else holds the data, in words that say who. */
export class DataLocked extends Error {
  override name = 'DataHeld'
}

const LOCK = 4839202
/** With a second number each: which secret a server has, where it keeps files, and which tables it knows. */
const SECRET = 4839203
const FILES = 4839204
const SCHEMA = 4839205
const RECONNECT_MS = 1000
/** A connection that was lost without a word is noticed by asking, this often; an answer takes no longer than this. */
const LOOK_MS = 5000
const ANSWER_WITHIN_MS = 3000

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

/** Where sessions are handed around, locks belong to a transaction that stays open; it has no snapshot and holds nothing else up. */
const BEGIN = 'begin; set local idle_in_transaction_session_timeout = 0'

const OTHERS = `select l.classid::int as kind, l.objid::bigint as mark, count(*)::int as servers,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most
  from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2 and l.classid in (${SECRET}, ${FILES}, ${SCHEMA}) and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
  group by l.classid, l.objid`

interface OthersRow {
  readonly kind: number
  /** Of type bigint, which comes as text. */
  readonly mark: string
  readonly servers: number
  readonly most: number
}

interface Where {
  readonly url: string
  readonly handsAround: boolean
}

/**
 * Locks that servers share, on a connection that is made again when it breaks.
 * @throws DataLocked when somebody else is alone there, or a server runs with another secret or other tables
 */
export const lockServer = async ({ url, handsAround }: Where, holder: Holder, marks: Marks | null): Promise<Hold> => {
  const lock = (shared: boolean) => `pg_try_advisory${handsAround ? '_xact' : ''}_lock${shared ? '_shared' : ''}`
  let released = false
  let client = await connect(url)
  let timer: NodeJS.Timeout | undefined

  const take = async () => {
    if (handsAround) await client.query(BEGIN)
    const { rows } = await client.query<{ held: boolean }>(`select ${lock(holder === 'server')}(${LOCK}) as held`)
    if (rows[0]?.held !== true) return false
    if (!marks) return true
    const shared = [`${SECRET}, ${marks.secret}`, `${FILES}, ${marks.files}`, `${SCHEMA}, ${marks.schema}`]
    await client.query(`select ${shared.map((key) => `${lock(true)}(${key})`).join()}`)
    return true
  }
  const watch = () => {
    const current = client
    const look = setInterval(() => {
      const late = setTimeout(() => void current.end(), ANSWER_WITHIN_MS)
      current
        .query('select 1')
        .catch(() => {})
        .finally(() => clearTimeout(late))
    }, LOOK_MS)
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
  if (!marks) return { release, beside: null }
  const { rows } = await client.query<OthersRow>(OTHERS)
  const of = (kind: number) => rows.filter((row) => row.kind === kind)
  if (of(SECRET).some((row) => Number(row.mark) !== marks.secret)) {
    await release()
    throw new DataLocked(
      'another server on this database has another secret: application passwords would work on one of them only. Give all of them the same LYCEUM_SECRET, or the same file "secret" in their data directories',
    )
  }
  if (of(SCHEMA).some((row) => Number(row.mark) !== marks.schema)) {
    await release()
    throw new DataLocked('a server of another version, which knows other tables, runs on this database: stop it before this one starts')
  }
  return {
    release,
    beside: {
      servers: of(SECRET).reduce((sum, row) => sum + row.servers, 0),
      sharesFiles: of(FILES).every((row) => Number(row.mark) === marks.files),
      mostConnections: rows[0]?.most ?? 0,
    },
  }
}

/** Whether anybody holds the database. */
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
