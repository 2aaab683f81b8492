import { statfs } from 'node:fs/promises'
import { type Database, statement } from '../db/index.ts'

/** How long the total size of files is cached, in milliseconds. Computing it reads every row. */
const STORED_FOR_MS = 60_000
/** How long the free disk space is cached, in milliseconds. */
const FREE_FOR_MS = 1000

interface StoredBytes {
  readonly attached: number
  readonly unattached: number
}

interface Remembered<T> {
  readonly value: Promise<T>
  readonly until: number
}

/** Caches the result of `look`; failures are not cached. */
const remembered = <K, T>(
  store: { get(key: K): Remembered<T> | undefined; set(key: K, value: Remembered<T>): unknown; delete(key: K): unknown },
  key: K,
  ms: number,
  look: () => Promise<T>,
) => {
  const known = store.get(key)
  if (known && known.until > performance.now()) return known.value
  const value = look()
  store.set(key, { value, until: performance.now() + ms })
  value.catch(() => store.delete(key))
  return value
}

const byStatus = statement<{ status: string; bytes: number | string }>(
  `select status, sum(file_size) as bytes from media where status <> 'deleted' group by status`,
)
const stored = new WeakMap<Database, Remembered<StoredBytes>>()

/** Bytes of all uploaded files, at most a minute old. */
export const storedBytes = (database: Database): Promise<StoredBytes> =>
  remembered(stored, database, STORED_FOR_MS, async () => {
    const bytes = new Map((await byStatus(database.read)).map((row) => [row.status, Number(row.bytes)]))
    return { attached: bytes.get('active') ?? 0, unattached: bytes.get('uploaded') ?? 0 }
  })

const free = new Map<string, Remembered<number | null>>()

/** Free bytes on the disk of a directory; null if the system does not report them. */
export const freeBytes = (directory: string): Promise<number | null> =>
  remembered(free, directory, FREE_FOR_MS, async () => {
    try {
      const { bavail, bsize } = await statfs(directory)
      return bavail * bsize
    } catch {
      return null
    }
  })
