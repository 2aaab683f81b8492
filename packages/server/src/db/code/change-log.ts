import { type CacheTagRule, columnsOfEvent, rowsOfEvent } from '../changes/cache-tags.ts'
import { TAGGED_TABLES } from '../changes/table-tags.ts'
import { CACHE_TAGS_SETTING, ENTER, EVERYTHING } from '../postgres/change-log-schema.ts'
import { type CodeObject, onPostgres } from './code-object.ts'

/** A transaction with more tags invalidates everything. */
const MAX_CHARACTERS = 16_000

type Event = 'insert' | 'update' | 'delete'

interface Invalidation {
  readonly event: string
  /** SQL condition; '' for every change. */
  readonly when: string
  readonly tags: CacheTagRule['tags']
}

/** Writes the transaction's tags at its commit; until then its row means everything. */
const ENDED: CodeObject = {
  name: 'cache_invalidations_commit',
  table: 'cache_invalidations',
  statements: [
    `create or replace function cache_invalidations_commit() returns trigger language plpgsql as $body$
  begin
    update cache_invalidations set tags = current_setting('${CACHE_TAGS_SETTING}', true) where xid = new.xid;
    return null;
  end $body$`,
    'drop trigger if exists cache_invalidations_commit on cache_invalidations',
    `create constraint trigger cache_invalidations_commit after insert on cache_invalidations
    deferrable initially deferred for each row execute function cache_invalidations_commit()`,
  ],
}

/** Once per statement: reports that rows of the table changed. */
const tableTrigger = (table: string): CodeObject =>
  onPostgres({
    name: `invalidate_${table}`,
    table,
    moment: 'after insert or update or delete',
    each: 'statement',
    body: `
    declare
      before text := current_setting('${CACHE_TAGS_SETTING}', true);
    begin
      if before = '${EVERYTHING}' then return null; end if;
      if coalesce(before, '') = '' then
        ${ENTER};
        before := chr(10);
      end if;
      if strpos(before, chr(10) || 'table:${table}' || chr(10)) = 0 then
        perform set_config('${CACHE_TAGS_SETTING}', before || 'table:${table}' || chr(10), true);
      end if;
      return null;
    end`,
  })

const changeOf = (columns: readonly string[]) => columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')

const tagOf = (kind: string, column: string, row: string) => {
  if (!column) return `'${kind}'`
  return `'${kind}:' || ${column.startsWith('(') ? column.replaceAll('$row', row) : `${row}.${column}`}`
}

const addTags = ({ event, when, tags }: Invalidation): string => {
  const additions = Object.entries(tags).flatMap(([kind, column]) =>
    rowsOfEvent(event, column).map(
      (row) => `tag := ${tagOf(kind, column, row)};
      if strpos(tags, chr(10) || tag || chr(10)) = 0 then tags := tags || tag || chr(10); end if;`,
    ),
  )
  return when ? `if ${when} then ${additions.join('\n      ')} end if;` : additions.join('\n      ')
}

const triggerOf = (table: string, event: Event, invalidations: readonly Invalidation[]): CodeObject => {
  const isAlways = invalidations.some(({ when }) => when === '')
  return onPostgres({
    name: `invalidate_${table}_${event}`,
    table,
    moment: `after ${event}`,
    each: isAlways ? 'row ' : `row when (${invalidations.map(({ when }) => when).join(' or ')})`,
    body: `
    declare
      before text := current_setting('${CACHE_TAGS_SETTING}', true);
      tags text := before;
      tag text;
    begin
      if before = '${EVERYTHING}' then return null; end if;
      if coalesce(before, '') = '' then
        ${ENTER};
        tags := chr(10);
      end if;
      ${invalidations.map(addTags).join('\n      ')}
      if length(tags) > ${MAX_CHARACTERS} then tags := '${EVERYTHING}'; end if;
      if tags is distinct from before then perform set_config('${CACHE_TAGS_SETTING}', tags, true); end if;
      return null;
    end`,
  })
}

const invalidationsOf = (rules: readonly CacheTagRule[], event: Event): Invalidation[] =>
  rules.flatMap(({ on, tags }) =>
    on.filter((one) => one.split(' ', 1)[0] === event).map((one) => ({ event: one, when: changeOf(columnsOfEvent(one)), tags })),
  )

/** The triggers of PostgreSQL that write `cache_invalidations`. On SQLite the writing connection creates temporary ones. */
export const changeLogCode = (rules: readonly CacheTagRule[]): CodeObject[] => [
  ENDED,
  ...[...Map.groupBy(rules, ({ table }) => table)].flatMap(([table, about]) =>
    (['insert', 'update', 'delete'] as const).flatMap((event) => {
      const invalidations = invalidationsOf(about, event)
      return invalidations.length > 0 ? [triggerOf(table, event, invalidations)] : []
    }),
  ),
  ...TAGGED_TABLES.map(tableTrigger),
]
