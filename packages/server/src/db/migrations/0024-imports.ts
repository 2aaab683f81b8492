import type { Up } from './dialect.ts'

/** What the columns of `redirects` refer to. */
const TARGETS = {
  user_id: 'users',
  space_id: 'spaces',
  feed_id: 'feeds',
  comment_id: 'comments',
  topic_id: 'topics',
  course_id: 'courses',
  lesson_id: 'lessons',
  media_id: 'media',
}

/** Which rows were imported from where, the addresses that they had there, and the names that members had there. */
export const imports: Up = ({ kind, int, text }) => {
  const withoutRowid = kind === 'sqlite' ? ' without rowid' : ''
  const columns = Object.entries(TARGETS).map(([column, table]) => `${column} ${int} references ${table} (id) on delete cascade`)
  return [
    // Without foreign keys: what was deleted here is not imported again.
    `create table import_map (
      source ${text} not null, kind ${text} not null, foreign_id ${text} not null, local_id ${int}, hash ${text} not null,
      fingerprint ${text} not null, unresolved ${int} not null default 0, primary key (source, kind, foreign_id))${withoutRowid}`,
    // The names of people are rows of their own.
    `create index import_map_people on import_map (local_id) where kind in ('people', 'names')`,
    // Rows that came with an archive keep their ids in later archives.
    `create index import_map_archived on import_map (kind, local_id) where source = 'lyceum'`,
    `create index import_map_unresolved on import_map (source, kind, foreign_id) where unresolved = 1`,
    `create table redirects (
      path ${text} not null, source ${text} not null, ${columns.join(', ')}, primary key (path, source))${withoutRowid}`,
    ...Object.keys(TARGETS).map(
      (column) => `create index redirects_${column.replace('_id', '')} on redirects (${column}) where ${column} is not null`,
    ),
    `create table username_aliases (
      alias ${text} primary key, user_id ${int} not null references users (id) on delete cascade)${withoutRowid}`,
    `create index username_aliases_user on username_aliases (user_id)`,
  ]
}
