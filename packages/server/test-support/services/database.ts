import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** From this version on a copy is made through the log unless it is told to copy the files, which costs half as much. */
const TELLS_HOW = 150_000

interface Admin {
  readonly client: pg.Client
  readonly version: number
}

const admins = new Map<string, Promise<Admin>>()

const connect = async (clusterUrl: string): Promise<Admin> => {
  const client = new pg.Client({ connectionString: clusterUrl })
  const forget = () => void admins.delete(clusterUrl)
  client.on('error', forget)
  client.on('end', forget)
  await client.connect()
  // The types do not know it.
  ;(client as pg.Client & { unref(): void }).unref()
  const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
  return { client, version: rows[0]?.version ?? 0 }
}

/** A process keeps one connection to each cluster: making a new one costs as much as what is asked on it. */
const adminOf = (clusterUrl: string): Promise<Admin> => {
  const known = admins.get(clusterUrl)
  if (known) return known
  const made = connect(clusterUrl)
  admins.set(clusterUrl, made)
  made.catch(() => admins.delete(clusterUrl))
  return made
}

/** Databases that nobody needs any more, by name. */
const idle = new Set<string>()

/** Makes a database on a cluster, empty or a copy of `template`, and gives its address. */
export const createDatabase = async (clusterUrl: string, template?: string): Promise<string> => {
  const { client, version } = await adminOf(clusterUrl)
  const name = `t_${randomBytes(6).toString('hex')}`
  const how = template ? ` template ${template}${version >= TELLS_HOW ? ' strategy file_copy' : ''}` : ''
  await client.query(`create database ${name}${how}`)
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  // Nobody waits for these, and by now their connections have ended, for which a removal would wait in its turn.
  for (const old of idle) client.query(`drop database if exists ${old} with (force)`).catch(() => {})
  idle.clear()
  return url.toString()
}

/** Has a database removed when the next one has been made. */
export const dropDatabase = (databaseUrl: string): void => void idle.add(new URL(databaseUrl).pathname.slice(1))
