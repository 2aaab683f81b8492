import { actorsFor } from '../auth/authenticate.ts'
import { nowOf } from '../core/clock.ts'
import type { ReadContext, Services } from '../core/context.ts'
import { ApiError } from '../core/errors.ts'
import { type Db, type EventPosition, eventsAfter, isLater, latestPosition, statementIn, type TailedEvent } from '../db/index.ts'
import { createPeriodic } from '../util/periodic.ts'
import { type Connection, createConnection, eventText } from './connection.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import type { StreamSource } from './event-source.ts'
import { createTail } from './event-tail.ts'
import type { Wakeups } from './pubsub.ts'
import type { Credential, Realtime } from './types.ts'

const MOST_STREAMS = 10_000
/** Maximum number of missed events that a resumed stream sends; beyond it, the client should reload. */
const MOST_MISSED = 500
const LONGEST_AWAY_S = 300
const SWEEP_MS = 1000
const PING_MS = 15_000
const TRIES = 3
const RETRY_MS = 300

const livePasswords = statementIn<{ id: number }>(
  (list) => `select p.id from application_passwords p join users u on u.id = p.user_id and u.status = 'active' where p.id in (${list})`,
)
const liveSessions = statementIn<{ id: number }>(
  (list) => `select s.id from sessions s join users u on u.id = s.user_id and u.status = 'active'
    where s.expires_at > $1 and s.id in (${list})`,
)

const idsOf = (credentials: readonly Credential[], kind: Credential['kind']) => [
  ...new Set(credentials.filter((one) => one.kind === kind).map(({ credentialId }) => credentialId)),
]

/** Returns which credentials are still valid: not revoked, not expired, and of an active account. */
const liveCredentials = async (db: Db, credentials: readonly Credential[], now: string): Promise<(credential: Credential) => boolean> => {
  const passwords = await livePasswords(db, idsOf(credentials, 'application-password'))
  const sessions = await liveSessions(db, idsOf(credentials, 'session'), [now])
  const alive = { 'application-password': new Set(passwords.map(({ id }) => id)), session: new Set(sessions.map(({ id }) => id)) }
  return ({ kind, credentialId }) => alive[kind].has(credentialId)
}

type HubServices = Pick<Services, 'database' | 'clock' | 'log'>

/**
 * The streams of this process. One tail reads the events, the source decides who receives what, and the streams of each member are written
 * to. `context` provides what the source reads with.
 */
export const createHub = (
  { database, clock, log }: HubServices,
  wakeups: Wakeups,
  source: StreamSource,
  context: () => ReadContext,
): Realtime => {
  const members = new Map<number, Set<Connection>>()
  const byAddress = new Map<string, number>()
  let count = 0
  let stopped = false
  /** Position up to which events have been sent. */
  let delivered: EventPosition | null = null

  const seconds = () => Math.floor(clock.now().getTime() / 1000)
  /** Serialized once for all recipients. */
  const cursors = () => {
    const at = seconds()
    const known = new Map<EventPosition, string>()
    return (position: EventPosition): string => {
      const text = known.get(position) ?? writeCursor(position, at)
      known.set(position, text)
      return text
    }
  }
  const isTooOld = ({ at }: Cursor) => Math.abs(seconds() - at) > LONGEST_AWAY_S
  const all = () => [...members.values()].flatMap((own) => [...own])

  const endDead = async (connections: readonly Connection[]): Promise<void> => {
    if (connections.length === 0) return
    const isLive = await liveCredentials(
      database.read,
      connections.map(({ credential }) => credential),
      nowOf(clock),
    )
    for (const connection of connections) if (!isLive(connection.credential)) connection.end('signed_out')
  }

  const deliver = async (events: readonly TailedEvent[]): Promise<void> => {
    const { audience, eventsFor } = await source.loadBatch(context(), events)
    const ids = audience ? [...audience].filter((id) => members.has(id)) : [...members.keys()]
    if (ids.length > 0) {
      const actors = await actorsFor(database.read, ids)
      const told = await eventsFor([...actors.values()])
      const hearers = ids.filter((id) => !actors.has(id) || told.has(id)).flatMap((id) => [...(members.get(id) ?? [])])
      await endDead(hearers)
      const cursorOf = cursors()
      for (const connection of hearers) {
        // The account was deleted or is no longer active.
        if (!actors.has(connection.userId)) connection.end('signed_out')
        else connection.deliver(told.get(connection.userId) ?? [], cursorOf)
      }
    }
    delivered = events.at(-1)?.position ?? delivered
  }

  const take = async (events: readonly TailedEvent[]): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await deliver(events)
      } catch (error) {
        log.warn({ event: 'stream_publish_failed', err: error, attempt }, 'events not sent to streams')
        if (attempt < TRIES) await new Promise((done) => setTimeout(done, RETRY_MS))
        // Clients reconnect and then receive what they missed.
        else for (const connection of all()) connection.end('stopping')
        if (attempt >= TRIES) return
      }
    }
  }

  const tail = createTail({ database, log, isWanted: () => count > 0, take })

  /** Checks all streams: ends those whose credentials are no longer valid, and sends a ping to idle ones. */
  const sweep = async () => {
    await endDead(all())
    const now = performance.now()
    const cursorOf = cursors()
    for (const connection of all()) {
      const { after, lastSent } = connection
      if (!after || now - lastSent < PING_MS) continue
      const place = delivered && isLater(delivered, after) ? delivered : after
      connection.ping(() => `: ping\nid: ${cursorOf(place)}\n\n`)
    }
  }

  const sweeps = createPeriodic({
    everyMs: SWEEP_MS,
    run: sweep,
    onError: (error) => log.warn({ event: 'stream_sweep_failed', err: error }, 'stream sweep failed'),
  })

  const leave = (connection: Connection) => {
    const own = members.get(connection.userId)
    if (!own?.delete(connection)) return
    count -= 1
    if (own.size === 0) members.delete(connection.userId)
  }

  /** Counts a stream of an address; returns a function that releases it. */
  const countAddress = (address: string) => {
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1)
    return () => {
      const left = (byAddress.get(address) ?? 1) - 1
      if (left > 0) byAddress.set(address, left)
      else byAddress.delete(address)
    }
  }

  const enter = (connection: Connection, most: number) => {
    const oldest = members.get(connection.userId)
    if (oldest && oldest.size >= most) oldest.values().next().value?.end('replaced')
    const own = members.get(connection.userId) ?? new Set()
    members.set(connection.userId, own.add(connection))
    count += 1
    sweeps.start()
  }

  /** Events between `from` and `to` as text; null if there are too many. */
  const missedBy = async (userId: number, from: EventPosition, to: EventPosition): Promise<string | null> => {
    const page = await eventsAfter(database.read, from, MOST_MISSED + 1)
    const events = page.events.filter(({ position }) => !isLater(position, to))
    if (events.length > MOST_MISSED) return null
    if (events.length === 0) return ''
    const { eventsFor } = await source.loadBatch(context(), events)
    const actor = (await actorsFor(database.read, [userId])).get(userId)
    const told = actor ? ((await eventsFor([actor])).get(userId) ?? []) : []
    const cursorOf = cursors()
    return told.map(({ event, name, data }) => eventText(name, data, cursorOf(event.position))).join('')
  }

  const begin = async (connection: Connection, lastEventId: string | null): Promise<void> => {
    const end = await latestPosition(database.read)
    await tail.start()
    const start = tail.position()
    if (!start || !connection.isOpen()) return
    const { userId } = connection
    const cursor = lastEventId === null ? undefined : readCursor(lastEventId)
    const isKnown = cursor !== undefined && !isTooOld(cursor) && !isLater(cursor.position, end)
    // A new stream starts at the end of the table, which the tail may not have reached; another instance may have been ahead of it, too.
    const place = isKnown ? cursor.position : end
    connection.after = isLater(place, start) ? place : start
    const missed = isKnown && isLater(start, cursor.position) ? await missedBy(userId, cursor.position, start) : ''
    const isReset = missed === null || (lastEventId !== null && !isKnown)

    const actor = (await actorsFor(database.read, [userId])).get(userId)
    if (!actor) return connection.end('signed_out')
    const greeting = await source.initialData(context(), actor)
    // Until the missed events are sent, the old position applies, so a client that disconnects meanwhile misses nothing.
    const id = lastEventId !== null && !isReset ? lastEventId : writeCursor(connection.after, seconds())
    const reset = isReset ? eventText('reset', '{}') : ''
    connection.begin(`${reset}${eventText('ready', JSON.stringify({ ...greeting, last_event_id: id }), id)}${missed ?? ''}`)
  }

  return {
    admit: () => {
      if (stopped || count >= MOST_STREAMS) throw new ApiError('service_unavailable', { data: { retry_after: 5 } })
    },
    open: ({ userId, address, credential, lastEventId, maxPerMember }, sink) => {
      const countOff = countAddress(address)
      const connection = createConnection(userId, credential, sink, (closed) => {
        countOff()
        leave(closed)
      })
      if (stopped) return connection.end('stopping')
      wakeups.listen(tail.wake)
      enter(connection, maxPerMember)
      begin(connection, lastEventId).catch((error) => {
        log.warn({ event: 'stream_start_failed', err: error }, 'stream not started')
        connection.end('stopping')
      })
    },
    committed: () => {
      tail.wake()
      wakeups.notify()
    },
    streams: () => count,
    streamsOf: (address) => byAddress.get(address) ?? 0,
    stop: async () => {
      stopped = true
      for (const connection of all()) connection.end('stopping')
      await Promise.all([tail.stop(), sweeps.stop()])
      await wakeups.close()
    },
  }
}
