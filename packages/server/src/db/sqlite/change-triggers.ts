import type Sqlite from 'better-sqlite3'
import { CACHE_TAG_RULES, type CacheTagRule } from '../changes/cache-tags.ts'

/**
 * Gets the cache tags (`kind:id`) that a commit invalidates. Temporary triggers on the writing connection collect them, so that no code that
 * writes can forget to report a change.
 */
export type ChangeListener = (subjects: ReadonlySet<string> | 'everything') => void

const triggerOf = ({ table, subjects }: CacheTagRule, event: string, name: string) => {
  const row = event === 'delete' ? 'old' : 'new'
  const columns = event.startsWith('update of ') ? event.slice('update of '.length).split(', ') : []
  const when = columns.length > 0 ? ` when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')}` : ''
  const idOf = (column: string) => (column.startsWith('(') ? column.replaceAll('$row', row) : `${row}.${column}`)
  const calls = Object.entries(subjects).map(([kind, column]) => `select lyceum_invalidate('${kind}', ${column ? idOf(column) : '0'});`)
  return `create temp trigger ${name} after ${event} on main.${table}${when} begin ${calls.join(' ')} end`
}

/** Installs the triggers on a writing connection. Call `committed` after each of its commits, and `external` before each cache lookup. */
export const followChanges = (writer: Sqlite.Database, listener: ChangeListener) => {
  let touched = new Set<string>()
  writer.function('lyceum_invalidate', (kind: unknown, id: unknown) => {
    touched.add(id === 0 ? String(kind) : `${kind}:${id}`)
    return null
  })
  CACHE_TAG_RULES.forEach((followed, i) => {
    followed.on.forEach((event, j) => {
      writer.exec(triggerOf(followed, event, `lyceum_invalidate_${i}_${j}`))
    })
  })

  const dataVersion = writer.prepare('pragma data_version').pluck()
  let version = dataVersion.get()
  return {
    committed: () => {
      if (touched.size === 0) return
      const subjects = touched
      touched = new Set()
      listener(subjects)
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
