import { closeSync, openSync, readSync } from 'node:fs'

/** The two copies of the header of a write-ahead log's index (sqlite.org/walformat.html): every commit of anybody changes both. */
const HEADER_BYTES = 96

/**
 * Files of this process by path. Closing one would give up the locks that SQLite holds on it, whoever closes it, so each is opened once,
 * and closed when none of its users has a connection any more.
 */
const opened = new Map<string, { readonly descriptor: number; users: number }>()

const openFor = (path: string): number | null => {
  const known = opened.get(path)
  if (known) {
    known.users += 1
    return known.descriptor
  }
  try {
    const descriptor = openSync(path, 'r')
    opened.set(path, { descriptor, users: 1 })
    return descriptor
  } catch {
    return null
  }
}

const leave = (path: string) => {
  const known = opened.get(path)
  if (!known) return
  known.users -= 1
  if (known.users > 0) return
  opened.delete(path)
  closeSync(known.descriptor)
}

/**
 * Tells whether anything was committed to a database since a moment by a look at the index of its log, which costs less than taking a lock.
 * Where the index cannot be read, everything may have changed at any time.
 */
export const watchIndex = (file: string) => {
  const path = `${file}-shm`
  let descriptor: number | null | undefined
  const noted = Buffer.alloc(HEADER_BYTES)
  const found = Buffer.alloc(HEADER_BYTES)
  let known = false

  const read = (into: Buffer): boolean => {
    if (descriptor === undefined) descriptor = openFor(path)
    if (descriptor === null) return false
    try {
      return readSync(descriptor, into, 0, HEADER_BYTES, 0) === HEADER_BYTES
    } catch {
      return false
    }
  }

  return {
    /** To be called before a snapshot is taken: what is committed from here on counts as a change. */
    note: () => {
      known = read(noted)
    },
    hasChanged: (): boolean => !known || !read(found) || !found.equals(noted),
    /** To be called when the connections are closed. */
    close: () => {
      if (typeof descriptor === 'number') leave(path)
      descriptor = null
      known = false
    },
  }
}

export type IndexWatch = ReturnType<typeof watchIndex>
