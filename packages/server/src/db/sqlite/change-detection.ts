import { closeSync, openSync, readSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import { CACHE_TAG_RULES, type CacheTagRule, columnsOfEvent, rowsOfEvent } from '../changes/cache-tags.ts'

/**
 * Gets the cache tags (`kind:id`) that a commit invalidates. Temporary triggers on the writing connection collect them, so that no code that
 * writes can forget to report a change.
 */
export type ChangeListener = (tags: ReadonlySet<string> | 'everything') => void

export const triggerOf = ({ table, tags }: CacheTagRule, event: string, name: string) => {
  const columns = columnsOfEvent(event)
  const when = columns.length > 0 ? ` when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')}` : ''
  const idOf = (column: string, row: string) => (column.startsWith('(') ? column.replaceAll('$row', row) : `${row}.${column}`)
  const calls = Object.entries(tags).flatMap(([kind, column]) =>
    rowsOfEvent(event, column).map((row) => `select lyceum_invalidate('${kind}', ${column ? idOf(column, row) : '0'});`),
  )
  return `create temp trigger ${name} after ${event} on main.${table}${when} begin ${calls.join(' ')} end`
}

/** Report that rows of a table changed. */
const tableTriggers = (table: string): string =>
  ['insert', 'update', 'delete']
    .map(
      (event) =>
        `create temp trigger lyceum_invalidate_${table}_${event} after ${event} on main.${table} begin select lyceum_invalidate_table('${table}'); end`,
    )
    .join(';')

/** The trigger of an event of a rule, by their indexes. */
export const triggerName = (rule: number, event: number): string => `lyceum_invalidate_${rule}_${event}`

/** Installs the triggers on a writing connection. Call `committed` after each of its commits, and `external` before each cache lookup. */
export const installChangeTriggers = (writer: Sqlite.Database, listener: ChangeListener) => {
  let changedTags = new Set<string>()
  writer.function('lyceum_invalidate', (kind: unknown, id: unknown) => {
    changedTags.add(id === 0 ? String(kind) : `${kind}:${id}`)
    return null
  })
  const changedTables = new Set<unknown>()
  writer.function('lyceum_invalidate_table', (table: unknown) => {
    changedTables.add(table)
    return null
  })
  CACHE_TAG_RULES.forEach((rule, i) => {
    rule.on.forEach((event, j) => {
      writer.exec(triggerOf(rule, event, triggerName(i, j)))
    })
  })

  const dataVersion = writer.prepare('pragma data_version').pluck()
  let version = dataVersion.get()
  const watched = new Set<string>()
  const wanted = new Set<string>()
  const watchWanted = () => {
    for (const table of wanted) {
      writer.exec(tableTriggers(table))
      watched.add(table)
    }
    // Changes so far were not reported.
    const tags = new Set([...wanted].map((table) => `table:${table}`))
    wanted.clear()
    listener(tags)
  }

  return {
    /** Whether changes of the table as a whole are reported. They are soon after the first call, so most processes need few triggers. */
    watchTable: (table: string): boolean => {
      if (watched.has(table)) return true
      wanted.add(table)
      if (!writer.inTransaction) watchWanted()
      return false
    },
    committed: () => {
      if (wanted.size > 0 && !writer.inTransaction) watchWanted()
      if (changedTags.size === 0 && changedTables.size === 0) return
      const reported = changedTags
      changedTags = new Set()
      for (const table of changedTables) reported.add(`table:${table}`)
      changedTables.clear()
      listener(reported)
    },
    /** Detects commits of other processes by `data_version`, which changes with each of them. */
    external: () => {
      const now = dataVersion.get()
      if (now === version) return
      version = now
      listener('everything')
    },
  }
}

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
