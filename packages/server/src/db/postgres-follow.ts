import type pg from 'pg'
import type { ChangeListener } from './follow.ts'
import { FOLLOWED, type Followed } from './followed.ts'
import { unavailable } from './postgres-pool.ts'

/** What a transaction has touched so far, a line each, in a setting that ends with it. */
const TOUCHED = 'lyceum.touched'
const EVERYTHING = '*'
/** A transaction that touches more is told as one that touched everything. */
const MOST_CHARACTERS = 4000

/** The rest of a transaction need not say what it touches: it is told as everything. */
export const TOUCH_EVERYTHING = `select set_config('${TOUCHED}', '${EVERYTHING}', true)`

const subjectOf = (kind: string, column: string, row: string) => (column ? `'${kind}:' || ${row}.${column}` : `'${kind}'`)

const triggerOf = ({ table, subjects }: Followed, event: string, name: string): string[] => {
  const row = event === 'delete' ? 'old' : 'new'
  const columns = event.startsWith('update of ') ? event.slice('update of '.length).split(', ') : []
  const changed = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')
  const touches = Object.entries(subjects).map(
    ([kind, column]) => `subject := ${subjectOf(kind, column, row)};
      if strpos(touched, chr(10) || subject || chr(10)) = 0 then touched := touched || subject || chr(10); end if;`,
  )
  return [
    `create function ${name}() returns trigger language plpgsql as $body$
    declare
      before text := current_setting('${TOUCHED}', true);
      touched text := before;
      subject text;
    begin
      if before = '${EVERYTHING}' then return null; end if;
      if coalesce(before, '') = '' then touched := chr(10); end if;
      ${touches.join('\n      ')}
      if length(touched) > ${MOST_CHARACTERS} then touched := '${EVERYTHING}'; end if;
      if touched is distinct from before then perform set_config('${TOUCHED}', touched, true); end if;
      return null;
    end $body$`,
    `create trigger ${name} after ${event} on ${table} for each row ${changed && `when (${changed})`} execute function ${name}()`,
  ]
}

/** Definitions of the triggers that note what a transaction touches. Those of a released version are changed by a migration only. */
export const followTriggers = (): string[] =>
  FOLLOWED.filter(({ exactly }) => !exactly).flatMap((followed, i) =>
    followed.on.flatMap((event) => triggerOf(followed, event, `follow_${followed.table}_${i}_${event.split(' ', 1)[0]}`)),
  )

/** Asked together with the commit, so that it costs no round trip. */
const COMMIT = `select current_setting('${TOUCHED}', true) as touched; commit`

/** A refused commit has changed nothing; of one that broke off nobody knows. */
const isRefused = (error: unknown) => /^(22|23|25|40)/.test(String((error as { code?: unknown } | null)?.code))

/** Tells a listener, who comes later, what each transaction touched: after it is committed, and before anybody goes on. */
export const createCommitTeller = () => {
  let listener: ChangeListener = () => {}
  return {
    listen: (heard: ChangeListener) => {
      listener = heard
    },
    commit: async (send: (text: string) => Promise<pg.QueryResult>): Promise<pg.QueryResult> => {
      try {
        const [asked, committed] = (await send(COMMIT)) as unknown as [pg.QueryResult<{ touched: string | null }>, pg.QueryResult]
        const touched = asked.rows[0]?.touched
        if (touched) listener(touched === EVERYTHING ? 'everything' : new Set(touched.split('\n').filter(Boolean)))
        return committed
      } catch (error) {
        if (!isRefused(error)) listener('everything')
        throw unavailable(error)
      }
    },
  }
}
