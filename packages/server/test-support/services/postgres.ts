import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Service, scratchFolder, startPrivateServer } from './private-server.ts'
import { findPostgres } from './programs.ts'

/** As durable as in production, which the server requires; only settings that do not affect results are reduced. */
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

const settingsOf = (folder: string, changed: Partial<typeof SETTINGS>) =>
  Object.entries({ ...SETTINGS, ...changed, unix_socket_directories: folder }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

const addressOf = (folder: string) => `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`

/** A private cluster: its socket is in a folder that only this user can access and that is removed with it. */
export async function startPostgres(folder = scratchFolder('postgres'), changed: Partial<typeof SETTINGS> = {}): Promise<Service> {
  const programs = findPostgres()
  if (!programs) throw new Error('PostgreSQL was not found')
  const owner = ordinaryUser()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)

  const data = join(folder, 'data')
  initialise(join(programs, 'initdb'), data, owner)
  const stop = await startPrivateServer({
    command: [join(programs, 'postgres'), '-D', data, ...settingsOf(folder, changed)],
    folder,
    stopSignal: 'QUIT',
    ready: /ready to accept connections/,
    ...owner,
  })
  return { url: addressOf(folder), stop }
}

/** Its main process. */
const postmasterOf = (data: string) => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        return new RegExp(`^PPid:\\s+${pid}$`, 'm').test(readFileSync(`/proc/${child}/status`, 'utf8'))
      } catch {
        return false
      }
    })

const gone = async (pids: readonly number[]) => {
  while (pids.some(isRunning)) await new Promise((done) => setTimeout(done, 20))
}

export interface Killable extends Service {
  /** Kills the postmaster with SIGKILL; resolves once its children have exited, too. */
  kill(): Promise<void>
  /** Starts it again. */
  start(): Promise<void>
}

/** A cluster for tests that kill it. */
export async function startKillablePostgres(): Promise<Killable> {
  const programs = findPostgres()
  if (!programs) throw new Error('PostgreSQL was not found')
  const folder = scratchFolder('postgres-killed')
  const data = join(folder, 'data')
  const { url, stop } = await startPostgres(folder)
  const stops = [stop]
  const owner = ordinaryUser()
  return {
    url,
    kill: async () => {
      const pid = postmasterOf(data)
      const all = [pid, ...childrenOf(pid)]
      process.kill(pid, 'SIGKILL')
      await gone(all)
    },
    start: async () => {
      const command = [join(programs, 'postgres'), '-D', data, ...settingsOf(folder, {})]
      stops.push(await startPrivateServer({ command, folder, stopSignal: 'QUIT', ready: /ready to accept connections/, ...owner }))
    },
    stop: async () => void (await Promise.all(stops.map((end) => end()))),
  }
}

/** Settings of a primary with replicas. */
export const PRIMARY_SETTINGS = { wal_level: 'replica', max_wal_senders: 8 }

export interface Replica extends Service {
  /** Like a power failure: without a clean shutdown. */
  crash(): Promise<void>
  /** Starts it again after a crash. */
  start(): Promise<void>
}

/** A hot standby of a primary. */
export async function startReplica(primary: string): Promise<Replica> {
  const programs = findPostgres()
  const from = new URL(primary).searchParams.get('host')
  if (!programs || !from) throw new Error('a replica follows a cluster of this machine')
  const folder = scratchFolder('replica')
  const owner = ordinaryUser()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  const copy = ['-h', from, '-U', 'postgres', '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  execFileSync(join(programs, 'pg_basebackup'), copy, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], ...owner })
  const run = () =>
    startPrivateServer({
      command: [join(programs, 'postgres'), '-D', data, ...settingsOf(folder, PRIMARY_SETTINGS)],
      folder,
      stopSignal: 'QUIT',
      ready: /ready to accept read-only connections/,
      ...owner,
    })
  const stops = [await run()]
  return {
    url: addressOf(folder),
    crash: async () => {
      const pid = postmasterOf(data)
      process.kill(pid, 'SIGQUIT')
      await gone([pid])
    },
    start: async () => void stops.push(await run()),
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
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

/** PostgreSQL refuses to run as root, so it then runs as the user created by its package. */
export function ordinaryUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
