import type { CacheTagRule } from '../changes/cache-tags.ts'
import { ENTER, EVERYTHING, TOUCHED } from '../postgres/change-log-schema.ts'
import { type CodeObject, onPostgres } from './code-object.ts'

/** A transaction that touches more is logged as one that touched everything. */
const MOST_CHARACTERS = 16_000

type Event = 'insert' | 'update' | 'delete'

interface Touching {
  /** When it is touched, in SQL; '' always. */
  readonly when: string
  readonly subjects: CacheTagRule['subjects']
}

/** Writes what the transaction touched at its commit; until then its row says everything. */
const ENDED: CodeObject = {
  name: 'cache_invalidations_commit',
  table: 'cache_invalidations',
  statements: [
    `create or replace function cache_invalidations_commit() returns trigger language plpgsql as $body$
  begin
    update cache_invalidations set tags = current_setting('${TOUCHED}', true) where xid = new.xid;
    return null;
  end $body$`,
    'drop trigger if exists cache_invalidations_commit on cache_invalidations',
    `create constraint trigger cache_invalidations_commit after insert on cache_invalidations
    deferrable initially deferred for each row execute function cache_invalidations_commit()`,
  ],
}

const changeOf = (columns: string) =>
  columns
    .split(', ')
    .map((column) => `old.${column} is distinct from new.${column}`)
    .join(' or ')

const subjectOf = (kind: string, column: string, row: string) => {
  if (!column) return `'${kind}'`
  return `'${kind}:' || ${column.startsWith('(') ? column.replaceAll('$row', row) : `${row}.${column}`}`
}

const touch = ({ when, subjects }: Touching, row: string): string => {
  const touches = Object.entries(subjects).map(
    ([kind, column]) => `subject := ${subjectOf(kind, column, row)};
      if strpos(touched, chr(10) || subject || chr(10)) = 0 then touched := touched || subject || chr(10); end if;`,
  )
  return when ? `if ${when} then ${touches.join('\n      ')} end if;` : touches.join('\n      ')
}

/** One trigger for all that an event of a table touches. */
const triggerOf = (table: string, event: Event, touchings: readonly Touching[]): CodeObject => {
  const row = event === 'delete' ? 'old' : 'new'
  const isAlways = touchings.some(({ when }) => when === '')
  return onPostgres({
    name: `invalidate_${table}_${event}`,
    table,
    moment: `after ${event}`,
    condition: isAlways ? '' : `when (${touchings.map(({ when }) => when).join(' or ')})`,
    body: `
    declare
      before text := current_setting('${TOUCHED}', true);
      touched text := before;
      subject text;
    begin
      if before = '${EVERYTHING}' then return null; end if;
      if coalesce(before, '') = '' then
        ${ENTER};
        touched := chr(10);
      end if;
      ${touchings.map((touching) => touch(touching, row)).join('\n      ')}
      if length(touched) > ${MOST_CHARACTERS} then touched := '${EVERYTHING}'; end if;
      if touched is distinct from before then perform set_config('${TOUCHED}', touched, true); end if;
      return null;
    end`,
  })
}

const touchingsOf = (followed: readonly CacheTagRule[], event: Event): Touching[] =>
  followed.flatMap(({ on, subjects }) =>
    on
      .filter((one) => one.split(' ', 1)[0] === event)
      .map((one) => ({ when: one.startsWith('update of ') ? changeOf(one.slice('update of '.length)) : '', subjects })),
  )

/** The triggers of PostgreSQL that write the change log. On SQLite each writing connection brings its own (`follow.ts`). */
export const changeLogCode = (followed: readonly CacheTagRule[]): CodeObject[] => [
  ENDED,
  ...[...Map.groupBy(followed, ({ table }) => table)].flatMap(([table, about]) =>
    (['insert', 'update', 'delete'] as const).flatMap((event) => {
      const touchings = touchingsOf(about, event)
      return touchings.length > 0 ? [triggerOf(table, event, touchings)] : []
    }),
  ),
]
