import type { Dialect } from '../database.ts'
import { type CodeObject, type Trigger, trigger } from './code-object.ts'

/** The columns that lists sort and filter by. */
const COLUMNS = ['listed', 'space_id', 'privacy', 'published_at', 'type']
const CHANGED = COLUMNS.map((column) => `old.${column} is distinct from new.${column}`)
/** The first comment was added, or the last one deleted. */
const ANSWERED = '(old.comments_count = 0) is distinct from (new.comments_count = 0)'

const note = (name: string, moment: string, when: string, id: string): Trigger => ({
  name: `feed_index_${name}`,
  table: 'feeds',
  moment,
  when,
  statements: [`insert into feed_index_changelog (feed_id) values (${id})`],
})

const NOTES: readonly Trigger[] = [
  note('added', 'after insert', 'new.listed = 1', 'new.id'),
  note('moved', `after update of ${COLUMNS.join(', ')}, comments_count`, [...CHANGED, ANSWERED].join(' or '), 'new.id'),
  note('removed', 'after delete', 'old.listed = 1', 'old.id'),
]

/** Full-text tables of SQLite have no foreign keys. */
const UNSEARCHED: Trigger = {
  name: 'feed_search_removed',
  table: 'feeds',
  moment: 'after delete',
  when: null,
  statements: ['delete from feed_search where rowid = old.id'],
}

/** Record each feed that is listed, unlisted or moved, for the in-memory index of each process; and delete search entries. */
export const feedNotesCode = (dialect: Dialect): CodeObject[] =>
  [...NOTES, ...(dialect === 'sqlite' ? [UNSEARCHED] : [])].map((one) => trigger(dialect, one))
