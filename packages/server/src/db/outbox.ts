import { type Db, dialectOf } from './database.ts'
import { batchStatement } from './sql/batch-statement.ts'
import { statement } from './sql/statement.ts'

const EVENT = 'insert into events (name, actor_id, payload, created_at)'
const insert = statement(`${EVENT} values ($1, $2, $3, $4)`)
const markInserted = statement('insert into pending_events (event_id) values (last_insert_rowid())')
const insertPending = statement(
  `with added as (${EVENT} values ($1, $2, $3, $4) returning id) insert into pending_events (event_id) select id from added`,
)
const COLUMNS = { name: 'text', actor_id: 'bigint', payload: 'text', is_pending: 'bigint' } as const
const insertAll = (rows: string) => `${EVENT} select d.name, d.actor_id, d.payload, $2 from ${rows} d`
const insertEach = batchStatement<{ id: number; name: string }>(COLUMNS, (rows) => `${insertAll(rows)} returning id, name`)
// The name decides whether an event is pending.
const insertEachPending = batchStatement(
  COLUMNS,
  (rows) => `with added as (${insertAll(rows)} returning id, name)
    insert into pending_events (event_id) select id from added where name in (select d.name from ${rows} d where d.is_pending = 1)`,
)
const markEach = batchStatement({ id: 'bigint' }, (rows) => `insert into pending_events (event_id) select d.id from ${rows} d`)

export interface NewEvent {
  readonly name: string
  readonly actorId: number | null
  /** JSON. */
  readonly payload: string
  /** It has listeners. */
  readonly isPending: boolean
}

const addEvent = async (db: Db, { name, actorId, payload, isPending }: NewEvent, now: string): Promise<void> => {
  const values = [name, actorId, payload, now]
  if (isPending && dialectOf(db) === 'postgres') await insertPending(db, values)
  else {
    await insert(db, values)
    if (isPending) await markInserted(db)
  }
}

/** Records events; their ids are in the order of the list. */
const addEvents = async (db: Db, events: readonly NewEvent[], now: string): Promise<void> => {
  const [first] = events
  if (first && events.length === 1) return addEvent(db, first, now)
  const rows = events.map(({ name, actorId, payload, isPending }) => [name, actorId, payload, isPending ? 1 : 0])
  if (dialectOf(db) === 'postgres') return void (await insertEachPending(db, rows, [now]))
  const added = await insertEach(db, rows, [now])
  const names = new Set(events.filter(({ isPending }) => isPending).map(({ name }) => name))
  const pending = added.filter(({ name }) => names.has(name))
  if (pending.length > 0)
    await markEach(
      db,
      pending.map(({ id }) => id),
    )
}

/**
 * Records the events of a transaction, as its last statement. On PostgreSQL this does not wait for the result: the statement travels with COMMIT,
 * which fails if it failed.
 */
export const addLastEvents = async (db: Db, events: readonly NewEvent[], now: string): Promise<void> => {
  if (events.length === 0) return
  const added = addEvents(db, events, now)
  if (dialectOf(db) === 'postgres') added.catch(() => {})
  else await added
}

const claiming = (lock: string) =>
  batchStatement<{ event_id: number }>(
    { id: 'bigint' },
    (rows) => `delete from pending_events where event_id in (select p.event_id from ${rows} d cross join pending_events p
      where p.event_id = d.id ${lock}) returning event_id`,
  )
const claim = { sqlite: claiming(''), postgres: claiming('for update of p skip locked') }

/** Claims events for the transaction that runs their listeners; skips those of other workers. Returns the ids that it got. */
export const claimEvents = async (db: Db, ids: readonly number[]): Promise<Set<number>> => {
  const taken = await claim[dialectOf(db)](db, ids)
  return new Set(taken.map(({ event_id }) => event_id))
}

export interface DueRow {
  readonly source: 'event' | 'job' | 'delivery'
  /** Of the event or the job. */
  readonly id: number
  readonly name: string
  readonly payload: string
  readonly attempts: number
  readonly created_at: string
}

/** The most events and jobs of one round. */
const MAX_DUE_EVENTS = 256
export const MAX_DUE_JOBS = 64

// The oldest pending events are found first, so that the join looks up as many events and no planner starts at the beginning of the log.
const due = statement<DueRow>(
  `select * from (select 'event' as source, e.id, e.name, e.payload, 0 as attempts, e.created_at
     from (select event_id from pending_events order by event_id limit ${MAX_DUE_EVENTS}) as p join events e on e.id = p.event_id
     order by e.id) as p1
   union all select * from (select 'job', id, name, payload, attempts, created_at from jobs
     where status = 'ready' and outgoing = 0 and run_at <= $1 order by run_at, id limit ${MAX_DUE_JOBS}) as p2
   union all select * from (select 'delivery', id, name, '', 0, '' from jobs
     where status = 'ready' and outgoing = 1 and run_at <= $1 limit 1) as p3`,
)

/** Pending events and due transactional jobs, oldest first, and an outgoing job if any is due. One statement, since it runs every second. */
export const dueWork = (db: Db, now: string): Promise<DueRow[]> => due(db, [now])
