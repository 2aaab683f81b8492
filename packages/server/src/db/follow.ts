import type Sqlite from 'better-sqlite3'

/**
 * Tells which rows a commit changed, by triggers that exist on the writing connection alone: no code that writes can forget to say so.
 * A subject is `kind:id`; what caches hold depends on subjects.
 */
export type ChangeListener = (subjects: ReadonlySet<string> | 'everything') => void

const EVERY = ['insert', 'update', 'delete'] as const

interface Followed {
  readonly table: string
  readonly on: readonly ('insert' | 'delete' | 'update' | `update of ${string}`)[]
  /** Subject kind → the column that holds its id; '' for a subject without one. */
  readonly subjects: Readonly<Record<string, string>>
}

const PERSON =
  'username, email, display_name, avatar, total_points, is_verified, status, short_description, website, cover_photo, social_links, badge_slugs'

const FOLLOWED: readonly Followed[] = [
  { table: 'feeds', on: ['insert', 'delete', 'update of listed, space_id, privacy, is_sticky, published_at'], subjects: { lists: '' } },
  { table: 'feeds', on: ['update', 'delete'], subjects: { feed: 'id' } },
  { table: 'comments', on: EVERY, subjects: { feed: 'post_id', comment: 'id' } },
  { table: 'reactions', on: EVERY, subjects: { feed: 'feed_id' } },
  { table: 'users', on: [`update of ${PERSON}`, 'delete'], subjects: { user: 'id' } },
  { table: 'users', on: ['insert', 'delete', 'update of status'], subjects: { people: '' } },
  { table: 'managers', on: EVERY, subjects: { user: 'user_id', lists: '' } },
  { table: 'manager_spaces', on: EVERY, subjects: { user: 'user_id', lists: '' } },
  { table: 'application_passwords', on: ['update of hash, user_id', 'delete'], subjects: { user: 'user_id' } },
  {
    table: 'spaces',
    on: ['insert', 'delete', 'update of title, slug, type, privacy, status, settings'],
    subjects: { space: 'id', lists: '' },
  },
  { table: 'space_members', on: EVERY, subjects: { member: 'user_id' } },
  { table: 'followers', on: ['insert', 'delete', 'update of status'], subjects: { member: 'follower_id' } },
  { table: 'topics', on: ['update of title, slug, status', 'delete'], subjects: { topic: 'id' } },
  { table: 'feed_topics', on: EVERY, subjects: { feed: 'feed_id', lists: '' } },
  { table: 'settings', on: EVERY, subjects: { setting: 'key' } },
  { table: 'moderation_config', on: EVERY, subjects: { moderation: '' } },
]

const triggerOf = ({ table, subjects }: Followed, event: string, name: string) => {
  const row = event === 'delete' ? 'old' : 'new'
  const calls = Object.entries(subjects).map(([kind, column]) => `select lyceum_touch('${kind}', ${column ? `${row}.${column}` : '0'});`)
  return `create temp trigger ${name} after ${event} on main.${table} begin ${calls.join(' ')} end`
}

/** Follows a writing connection. `committed` is to be called after each of its commits, `external` before each look into a cache. */
export const followChanges = (writer: Sqlite.Database, listener: ChangeListener) => {
  let touched = new Set<string>()
  writer.function('lyceum_touch', (kind: unknown, id: unknown) => {
    touched.add(id === 0 ? String(kind) : `${kind}:${id}`)
    return null
  })
  FOLLOWED.forEach((followed, i) => {
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
