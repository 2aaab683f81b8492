import { type Db, dialectOf } from '../database.ts'
import { statement, statementOne } from '../sql/statement.ts'

/**
 * A position in the event log, compared part by part. PostgreSQL assigns ids before the commit, so a lower id can appear after a higher one:
 * there it is the transaction id, then the event id. On SQLite it is the event id.
 */
export type EventPosition = readonly [major: number, minor: number]

export interface TailedEvent {
  readonly position: EventPosition
  readonly id: number
  readonly name: string
  readonly actor_id: number | null
  readonly payload: string
}

interface EventPage {
  readonly events: readonly TailedEvent[]
  /** The position after the last event read. No event will appear before it. */
  readonly next: EventPosition
  readonly more: boolean
  /** More events are committed, but an older transaction still runs. */
  readonly held: boolean
}

export const isLater = (a: EventPosition, b: EventPosition): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1])

interface Row {
  readonly id: number | null
  readonly name: string
  readonly actor_id: number | null
  readonly payload: string
}

const last = statementOne<{ seq: number }>(`select seq from sqlite_sequence where name = 'events'`)
const after = statement<Row>('select id, name, actor_id, payload from events where id > $1 order by id limit $2')

const sqlite = {
  latest: async (db: Db): Promise<EventPosition> => [(await last(db))?.seq ?? 0, 0],
  after: async (db: Db, [from]: EventPosition, limit: number): Promise<EventPage> => {
    const rows = await after(db, [from, limit])
    const events = rows.map(({ id, ...row }) => ({ ...row, id: id ?? 0, position: [id ?? 0, 0] as const }))
    return { events, next: events.at(-1)?.position ?? [from, 0], more: rows.length === limit, held: false }
  },
}

interface HorizonRow extends Row {
  readonly held: boolean
  readonly xid: string
}

// Every transaction below the horizon has ended, so no further events can appear below it. A single statement sees one snapshot.
const HORIZON = 'select pg_snapshot_xmin(pg_current_snapshot()) as xmin'
/** The position of the last event below the horizon, or the horizon if there is none. */
const end = statementOne<{ major: string; minor: number }>(
  `select coalesce(e.xid, x.xmin)::text as major, coalesce(e.id, 0) as minor
   from (${HORIZON}) x left join lateral (select xid, id from events where xid < x.xmin order by xid desc, id desc limit 1) e on true`,
)
const settled = statement<HorizonRow>(
  `select exists (select 1 from events h where h.xid >= x.xmin) as held,
     e.xid::text as xid, e.id, e.name, e.actor_id, e.payload
   from (${HORIZON}) x left join lateral (select * from events
     where (xid, id) > ($1::xid8, $2::bigint) and xid < x.xmin order by xid, id limit $3) e on true
   order by e.xid, e.id`,
)

const postgres = {
  latest: async (db: Db): Promise<EventPosition> => {
    const found = await end(db)
    return [Number(found?.major ?? 0), found?.minor ?? 0]
  },
  after: async (db: Db, from: EventPosition, limit: number): Promise<EventPage> => {
    const rows = await settled(db, [String(from[0]), from[1], limit])
    const events = rows.flatMap(({ id, xid, name, actor_id, payload }) =>
      id === null ? [] : [{ position: [Number(xid), id] as const, id, name, actor_id, payload }],
    )
    // Not the horizon: after a crash, PostgreSQL can reassign ids of transactions that left no trace.
    return { events, next: events.at(-1)?.position ?? from, more: events.length === limit, held: rows[0]?.held === true }
  },
}

const tails = { sqlite, postgres }

/** The position after all events that can be read in commit order. */
export const latestPosition = (db: Db): Promise<EventPosition> => tails[dialectOf(db)].latest(db)

/** At most `limit` events after a position, in commit order. Continuing from `next` misses no event. */
export const eventsAfter = (db: Db, from: EventPosition, limit: number): Promise<EventPage> => tails[dialectOf(db)].after(db, from, limit)
