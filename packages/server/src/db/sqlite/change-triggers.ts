import type Sqlite from 'better-sqlite3'
import { CACHE_TAG_RULES, type CacheTagRule } from '../changes/cache-tags.ts'

/**
 * Tells which rows a commit changed, by triggers that exist on the writing connection alone: no code that writes can forget to say so.
 * A subject is `kind:id`; what caches hold depends on subjects.
 */
export type ChangeListener = (subjects: ReadonlySet<string> | 'everything') => void

const triggerOf = ({ table, subjects }: CacheTagRule, event: string, name: string) => {
  const row = event === 'delete' ? 'old' : 'new'
  const columns = event.startsWith('update of ') ? event.slice('update of '.length).split(', ') : []
  const when = columns.length > 0 ? ` when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')}` : ''
  const idOf = (column: string) => (column.startsWith('(') ? column.replaceAll('$row', row) : `${row}.${column}`)
  const calls = Object.entries(subjects).map(([kind, column]) => `select lyceum_touch('${kind}', ${column ? idOf(column) : '0'});`)
  return `create temp trigger ${name} after ${event} on main.${table}${when} begin ${calls.join(' ')} end`
}

/** Follows a writing connection. `committed` is to be called after each of its commits, `external` before each look into a cache. */
export const followChanges = (writer: Sqlite.Database, listener: ChangeListener) => {
  let touched = new Set<string>()
  writer.function('lyceum_touch', (kind: unknown, id: unknown) => {
    touched.add(id === 0 ? String(kind) : `${kind}:${id}`)
    return null
  })
  CACHE_TAG_RULES.forEach((followed, i) => {
    followed.on.forEach((event, j) => {
      writer.exec(triggerOf(followed, event, `lyceum_follow_${i}_${j}`))
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
    /** Another process may have written: that is seen by a number that only foreign commits change. */
    external: () => {
      const now = dataVersion.get()
      if (now === version) return
      version = now
      listener('everything')
    },
  }
}
