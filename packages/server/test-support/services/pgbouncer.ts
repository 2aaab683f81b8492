import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ordinaryUser } from './postgres.ts'
import { type Service, scratchFolder, startPrivateServer } from './private-server.ts'
import { findPgbouncer } from './programs.ts'

const PORT = 6432

/** A PgBouncer in transaction mode in front of a cluster, with default settings and few server connections. */
export async function startPgbouncer(postgresUrl: string): Promise<Service> {
  const program = findPgbouncer()
  if (!program) throw new Error('PgBouncer was not found')
  const { searchParams, username } = new URL(postgresUrl)
  const folder = scratchFolder('pgbouncer')
  const users = join(folder, 'users.txt')
  const settings = [
    '[databases]',
    `* = host=${searchParams.get('host')} user=${username}`,
    '[pgbouncer]',
    'listen_addr =',
    `listen_port = ${PORT}`,
    `unix_socket_dir = ${folder}`,
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'default_pool_size = 8',
    'max_client_conn = 1000',
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${username}" ""\n`)
  writeFileSync(file, `${settings.join('\n')}\n`)
  const owner = ordinaryUser()
  if (owner) for (const path of [folder, users, file]) chownSync(path, owner.uid, owner.gid)
  const stop = await startPrivateServer({ command: [program, file], folder, stopSignal: 'INT', ready: /process up/, ...owner })
  return { url: `postgres://${username}@localhost:${PORT}/postgres?host=${encodeURIComponent(folder)}`, stop }
}
