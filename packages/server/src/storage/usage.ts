import { statfs } from 'node:fs/promises'
import { memoize } from '@lyceum/content/lazy'
import { LRUCache } from 'lru-cache'
import { type Database, statement } from '../db/index.ts'

/** How long the total size of files is cached, in milliseconds. Computing it reads every row. */
const CACHED_FOR_MS = 60_000

const byStatus = statement<{ status: string; bytes: number | string }>(
  `select status, sum(file_size) as bytes from media where status <> 'deleted' group by status`,
)

const readBytes = async (database: Database) => {
  const bytes = new Map((await byStatus(database.read)).map((row) => [row.status, Number(row.bytes)]))
  return { attached: bytes.get('active') ?? 0, unattached: bytes.get('uploaded') ?? 0 }
}

const cacheOf = memoize(
  (database: Database) =>
    new LRUCache<'all', Awaited<ReturnType<typeof readBytes>>>({ max: 1, ttl: CACHED_FOR_MS, fetchMethod: () => readBytes(database) }),
)

/** Bytes of all uploaded files, at most a minute old. */
export const storedBytes = (database: Database) => cacheOf(database).forceFetch('all')

/** Free bytes on the disk of a directory; null if the system does not report them. */
export const freeBytes = (directory: string): Promise<number | null> =>
  statfs(directory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )
