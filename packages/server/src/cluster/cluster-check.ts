import { createHmac, hash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type ConfigFingerprint, knownMigrations, type Peers } from '../db/index.ts'
import type { LogEvent } from '../observability/log-events.ts'
import type { Keys } from '../secrets/keys.ts'

const BITS_31 = 0x7fffffff
const markOf = (digest: Buffer) => digest.readUInt32BE(0) & BITS_31

/** An id stored in a folder, by which servers that mount the same folder recognize it. */
const nameOfFolder = (folder: string): string => {
  const file = join(folder, '.folder')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(16).toString('hex'), { flag: 'wx', mode: 0o600, flush: true })
  } catch {
    // The folder has an id already, or is not writable and therefore not shared.
  }
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return randomBytes(16).toString('hex')
  }
}

/** Digests of what servers on one database must have in common: the secret, the file storage and the schema. */
export const configFingerprint = ({ dataDir, s3Url }: Config, keys: Keys): ConfigFingerprint => ({
  secret: markOf(createHmac('sha256', keys.encryption).update('the same secret').digest()),
  files: markOf(hash('sha256', s3Url || nameOfFolder(join(dataDir, 'media')), 'buffer')),
  schema: markOf(hash('sha256', knownMigrations().join(), 'buffer')),
})

/** Connections of each server outside the pool: the listener, the reader of committed events, and the lock of the running server. */
const BESIDE_THE_POOL = 3

interface Problem {
  readonly level: 'warn' | 'error'
  readonly event: LogEvent
  readonly text: string
}

/** Configuration problems of several servers that share a database, for the log. */
export const peerProblems = (
  { databasePool, databasePooler, redisUrl }: Config,
  { servers, sharesFiles, mostConnections }: Peers,
): Problem[] => {
  const wanted = servers * (databasePool + BESIDE_THE_POOL)
  const problems: (Problem | false)[] = [
    !sharesFiles && {
      level: 'error',
      event: 'peer_files_not_shared',
      text: 'another server on this database keeps files elsewhere: what is uploaded to one cannot be shown by the other. Set the same LYCEUM_S3_URL for all, or let them share the folder "media" of the data directory',
    },
    servers > 1 &&
      !redisUrl && {
        level: 'warn',
        event: 'peer_limits_not_shared',
        text: `${servers} servers share this database without Redis: each counts limits for itself. Set LYCEUM_REDIS_URL`,
      },
    databasePooler === 'off' &&
      wanted > mostConnections && {
        level: 'warn',
        event: 'peer_connections_exceeded',
        text: `${servers} servers may use ${wanted} connections, and PostgreSQL takes ${mostConnections}: lower LYCEUM_DATABASE_POOL, raise max_connections, or put a pooler in between`,
      },
  ]
  return problems.filter((problem) => problem !== false)
}
