import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** From this version on, PostgreSQL copies databases through the WAL by default; copying files takes half as long. */
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
  // Missing in the type declarations.
  ;(client as pg.Client & { unref(): void }).unref()
  const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
  return { client, version: rows[0]?.version ?? 0 }
}

/** One connection per process and cluster: connecting costs as much as the queries. */
const adminOf = (clusterUrl: string): Promise<Admin> => {
  const known = admins.get(clusterUrl)
  if (known) return known
  const made = connect(clusterUrl)
  admins.set(clusterUrl, made)
  made.catch(() => admins.delete(clusterUrl))
  return made
}

/** Databases to be dropped. */
const idle = new Set<string>()

/** Creates a database, empty or from a template, and returns its URL. */
export const createDatabase = async (clusterUrl: string, template?: string): Promise<string> => {
  const { client, version } = await adminOf(clusterUrl)
  const name = `t_${randomBytes(6).toString('hex')}`
  const how = template ? ` template ${template}${version >= TELLS_HOW ? ' strategy file_copy' : ''}` : ''
  await client.query(`create database ${name}${how}`)
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  // Dropping waits for open connections; by now those have ended, and no test waits for this.
  for (const old of idle) client.query(`drop database if exists ${old} with (force)`).catch(() => {})
  idle.clear()
  return url.toString()
}

/** Drops a database after the next one is created. */
export const dropDatabase = (databaseUrl: string): void => void idle.add(new URL(databaseUrl).pathname.slice(1))
