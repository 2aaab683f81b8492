import type { Migration } from './dialect.ts'

/** What lists sort, place and filter a feed by. */
const COLUMNS = ['listed', 'space_id', 'privacy', 'published_at', 'type']
const CHANGED = COLUMNS.map((column) => `old.${column} is distinct from new.${column}`)
/** Its first comment comes, or its last one goes. */
const ANSWERED = '(old.comments_count = 0) is distinct from (new.comments_count = 0)'

const TRIGGER = `create trigger feeds_noted_moved after update of ${COLUMNS.join(', ')}, comments_count on feeds for each row
  when (${[...CHANGED, ANSWERED].join(' or ')})`

/** Feeds are noted when their type changes, too, and when they are answered. */
export const notedKinds: Migration = {
  name: '0013-noted-kinds',
  up: ({ kind }) =>
    kind === 'sqlite'
      ? ['drop trigger feeds_noted_moved', `${TRIGGER} begin insert into feed_changes (feed_id) values (new.id); end`]
      : ['drop trigger feeds_noted_moved on feeds', `${TRIGGER} execute function feeds_noted_moved()`],
}
