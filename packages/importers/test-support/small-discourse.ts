import { join } from 'node:path'
import { openDiscourse } from '../src/discourse/open.ts'
import { postgresDump } from './postgres-dump.ts'
import { folderWith, readAll } from './read-source.ts'

export type Row = Record<string, string | number | boolean | null>
type Tables = Record<string, Row[]>

export const at = (day: number, time = '10:00:00') => `2024-05-${String(day).padStart(2, '0')} ${time}`
export const HASH = 'ab'.repeat(32)
export const SALT = '0123456789abcdef0123456789abcdef'

export const user = (id: number, username: string, more: Row = {}): Row => ({
  id,
  username,
  name: null,
  created_at: at(1),
  active: true,
  admin: false,
  moderator: false,
  approved: true,
  staged: false,
  suspended_till: null,
  silenced_till: null,
  last_seen_at: null,
  uploaded_avatar_id: null,
  ...more,
})
export const category = (id: number, name: string, more: Row = {}): Row => ({
  id,
  name,
  slug: name.toLowerCase(),
  description: null,
  created_at: at(1),
  user_id: 1,
  topic_id: null,
  position: id,
  read_restricted: false,
  parent_category_id: null,
  ...more,
})
export const topic = (id: number, title: string, more: Row = {}): Row => ({
  id,
  title,
  slug: title.toLowerCase().replace(/\W+/g, '-'),
  created_at: at(2),
  bumped_at: at(3),
  user_id: 1,
  category_id: 4,
  deleted_at: null,
  visible: true,
  closed: false,
  archived: false,
  archetype: 'regular',
  pinned_at: null,
  pinned_until: null,
  pinned_globally: false,
  ...more,
})
export const post = (id: number, topic_id: number, post_number: number, more: Row = {}): Row => ({
  id,
  topic_id,
  post_number,
  user_id: 1,
  raw: `Text ${id}`,
  cooked: `<p>Text ${id}</p>`,
  created_at: at(2),
  last_version_at: at(2),
  version: 1,
  last_editor_id: null,
  reply_to_post_number: null,
  post_type: 1,
  deleted_at: null,
  hidden: false,
  user_deleted: false,
  ...more,
})

/** Ana (1), an administrator, and Ben (2), an open category (4), a topic (1) and what is added. */
export const dump = (tables: Tables) => {
  const base: Tables = {
    categories: [category(4, 'Bread')],
    posts: [post(1, 1, 1)],
    topics: [topic(1, 'Rye')],
    users: [user(1, 'ana', { admin: true }), user(2, 'Ben')],
  }
  const names = [...new Set([...Object.keys(base), ...Object.keys(tables)])].sort()
  return postgresDump(Object.fromEntries(names.map((name) => [name, [...(base[name] ?? []), ...(tables[name] ?? [])]])))
}

export const read = async (tables: Tables) => {
  const folder = await folderWith({ 'dump.sql': dump(tables) })
  const { records, unreadable, leftOut } = await readAll(await openDiscourse(join(folder, 'dump.sql'), {}))
  return { records, leftOut, unreadable: unreadable.map(({ kind, id, reason }) => `${kind} ${id}: ${reason}`) }
}
