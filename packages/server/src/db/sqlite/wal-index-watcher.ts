import { closeSync, openSync, readSync } from 'node:fs'

/** Both copies of the header of the WAL index (sqlite.org/walformat.html); every commit of any process changes both. */
const HEADER_BYTES = 96

/**
 * Open WAL index files by path, with their number of users. Closing any descriptor of a file releases the POSIX locks that SQLite holds on it in
 * this process, so each file is opened once, and closed after its last user.
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
 * Detects commits by reading the header of the WAL index, which is cheaper than taking a lock. If it cannot be read, it always reports a change.
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
    /** Call it before a snapshot is taken: later commits count as a change. */
    note: () => {
      known = read(noted)
    },
    hasChanged: (): boolean => !known || !read(found) || !found.equals(noted),
    /** Call it when the connections are closed. */
    close: () => {
      if (typeof descriptor === 'number') leave(path)
      descriptor = null
      known = false
    },
  }
}

export type IndexWatch = ReturnType<typeof watchIndex>
