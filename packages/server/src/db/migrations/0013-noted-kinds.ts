import type { Up } from './dialect.ts'

/** The columns that lists sort and filter by. */
const COLUMNS = ['listed', 'space_id', 'privacy', 'published_at', 'type']
const CHANGED = COLUMNS.map((column) => `old.${column} is distinct from new.${column}`)
/** The first comment was added, or the last one deleted. */
const ANSWERED = '(old.comments_count = 0) is distinct from (new.comments_count = 0)'

const TRIGGER = `create trigger feeds_noted_moved after update of ${COLUMNS.join(', ')}, comments_count on feeds for each row
  when (${[...CHANGED, ANSWERED].join(' or ')})`

/** Also records changes of a feed's type, and of whether it has comments. */
export const notedKinds: Up = ({ kind }) =>
  kind === 'sqlite'
    ? ['drop trigger feeds_noted_moved', `${TRIGGER} begin insert into feed_changes (feed_id) values (new.id); end`]
    : ['drop trigger feeds_noted_moved on feeds', `${TRIGGER} execute function feeds_noted_moved()`]
