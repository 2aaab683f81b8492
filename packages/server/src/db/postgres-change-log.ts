import { FOLLOWED, type Followed } from './followed.ts'

/** What a transaction has touched so far, a line each, in a setting that ends with it. */
const TOUCHED = 'lyceum.touched'
/** Instead of what was touched: it is too much to name, or not known. */
export const EVERYTHING = '*'
/** A transaction that touches more is noted as one that touched everything. */
const MOST_CHARACTERS = 16_000

const ENTER = 'insert into change_log (xid) values (pg_current_xact_id())'

/** The rest of a transaction need not say what it touches: it is noted as everything. */
export const TOUCH_EVERYTHING = `with entered as (${ENTER}) select set_config('${TOUCHED}', '${EVERYTHING}', true)`

/**
 * What every transaction touched, which comes with its commit; until then a row says everything. `change_log_floor` has one row: what has a number
 * below `floor` is not kept any more. A crash empties both, and whoever looks next writes a row with another `run`.
 */
const LOG = [
  `create unlogged table change_log (xid xid8 not null, touched text not null default '${EVERYTHING}') with (fillfactor = 60)`,
  'create index change_log_xid on change_log (xid)',
  `create unlogged table change_log_floor (one integer primary key default 1 check (one = 1), run uuid not null default gen_random_uuid(),
    floor xid8 not null, next xid8 not null, moved_at timestamptz not null default clock_timestamp())`,
  `create function change_log_ended() returns trigger language plpgsql as $body$
  begin
    update change_log set touched = current_setting('${TOUCHED}', true) where xid = new.xid;
    return null;
  end $body$`,
  `create constraint trigger change_log_ended after insert on change_log
    deferrable initially deferred for each row execute function change_log_ended()`,
]

type Event = 'insert' | 'update' | 'delete'

interface Touching {
  /** When it is touched, in SQL; '' always. */
  readonly when: string
  readonly subjects: Followed['subjects']
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
const triggerOf = (table: string, event: Event, touchings: readonly Touching[]): string[] => {
  const row = event === 'delete' ? 'old' : 'new'
  const name = `follow_${table}_${event}`
  const isAlways = touchings.some(({ when }) => when === '')
  const columns = isAlways ? '' : `when (${touchings.map(({ when }) => when).join(' or ')})`
  return [
    `create function ${name}() returns trigger language plpgsql as $body$
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
    end $body$`,
    `create trigger ${name} after ${event} on ${table} for each row ${columns} execute function ${name}()`,
  ]
}

const touchingsOf = (followed: readonly Followed[], event: Event): Touching[] =>
  followed.flatMap(({ on, subjects }) =>
    on
      .filter((one) => one.split(' ', 1)[0] === event)
      .map((one) => ({ when: one.startsWith('update of ') ? changeOf(one.slice('update of '.length)) : '', subjects })),
  )

/** Definitions of the log and of the triggers that write it. Those of a released version are changed by a migration only. */
export const changeLog = (): string[] => [
  ...LOG,
  ...[...Map.groupBy(FOLLOWED, ({ table }) => table)].flatMap(([table, followed]) =>
    (['insert', 'update', 'delete'] as const).flatMap((event) => {
      const touchings = touchingsOf(followed, event)
      return touchings.length > 0 ? triggerOf(table, event, touchings) : []
    }),
  ),
]
