import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Makes a database on a cluster, empty or a copy of `template`, and gives its address. */
export const createDatabase = async (clusterUrl: string, template?: string): Promise<string> => {
  const name = `t_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: clusterUrl })
  await admin.connect()
  await admin.query(`create database ${name}${template ? ` template ${template}` : ''}`)
  await admin.end()
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  return url.toString()
}
