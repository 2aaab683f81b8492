import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { type Service, scratchFolder, startPrivateServer } from './private-server.ts'
import { findPostgres } from './programs.ts'

/** As durable as in production, since the server refuses less; only what does not change answers is turned down. */
const SETTINGS = {
  listen_addresses: '',
  max_connections: 200,
  fsync: 'on',
  synchronous_commit: 'on',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  lc_messages: 'C',
}

/** A cluster of our own that only this user reaches: its socket lies in a private folder, which goes with it. */
export async function startPostgres(folder = scratchFolder('postgres'), changed: Partial<typeof SETTINGS> = {}): Promise<Service> {
  const programs = findPostgres()
  if (!programs) throw new Error('PostgreSQL was not found')
  const owner = ordinaryUser()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)

  const data = join(folder, 'data')
  initialise(join(programs, 'initdb'), data, owner)
  const settings = Object.entries({ ...SETTINGS, ...changed, unix_socket_directories: folder }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const stop = await startPrivateServer({
    command: [join(programs, 'postgres'), '-D', data, ...settings],
    folder,
    stopSignal: 'QUIT',
    ready: /ready to accept connections/,
    ...owner,
  })
  return { url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`, stop }
}

function initialise(initdb: string, data: string, owner: Owner | undefined) {
  const create = (locale: string) =>
    execFileSync(initdb, ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', `--locale=${locale}`, '--no-sync'], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      ...owner,
    })
  try {
    create('C.UTF-8')
  } catch {
    create('C')
  }
}

type Owner = { uid: number; gid: number }

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
function ordinaryUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
