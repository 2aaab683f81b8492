import { type Db, dialectOf } from '../database.ts'
import { statement, statementOne } from '../sql/statement.ts'

/**
 * A place in the row of events, compared part by part. On PostgreSQL ids are given out before they are committed, so that a lower one
 * may appear after a higher: there the transaction comes first, the id second. On SQLite it is the id alone.
 */
export type EventPosition = readonly [major: number, minor: number]

export interface TailedEvent {
  readonly position: EventPosition
  readonly id: number
  readonly name: string
  readonly actor_id: number | null
  readonly payload: string
}

export interface EventPage {
  readonly events: readonly TailedEvent[]
  /** Where to go on: behind the last event that was read. Nothing before it will ever appear. */
  readonly next: EventPosition
  readonly more: boolean
  /** Further events are committed, and wait for an older transaction that still runs. */
  readonly held: boolean
}

/** Whether `a` comes after `b`. */
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

// Every transaction below the horizon has ended, so what is not there by now will not come. One statement sees one snapshot.
const HORIZON = 'select pg_snapshot_xmin(pg_current_snapshot()) as xmin'
/** Behind the last of them; the horizon itself only where there is none. */
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
    // Not up to the horizon: transactions that ended without a trace before a crash give their numbers to others after it.
    return { events, next: events.at(-1)?.position ?? from, more: events.length === limit, held: rows[0]?.held === true }
  },
}

const tails = { sqlite, postgres }

/** The place behind everything that has settled. */
export const latestPosition = (db: Db): Promise<EventPosition> => tails[dialectOf(db)].latest(db)

/** At most `limit` events after a place, in the order in which they settled: none is ever missed by going on from `next`. */
export const eventsAfter = (db: Db, from: EventPosition, limit: number): Promise<EventPage> => tails[dialectOf(db)].after(db, from, limit)
