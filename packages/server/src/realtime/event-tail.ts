import { type Database, type EventPosition, eventsAfter, latestPosition, type TailedEvent } from '../db/index.ts'
import type { Log } from '../observability/log.ts'

const PAGE = 200
/** Poll interval without a wake-up, for events of other processes. */
const POLL_MS = 1000
/** Pause between two reads, so that simultaneous events are handled together. */
const GAP_MS = 20

interface TailDeps {
  readonly database: Database
  readonly log: Log
  /** Whether anyone listens. Otherwise the tail pauses and restarts at the end. */
  readonly isWanted: () => boolean
  /** Handles a page; the next one is read when the promise resolves. Never rejects. */
  readonly take: (events: readonly TailedEvent[]) => Promise<void>
}

/** Reads committed events from the table, once for the whole process and in order. */
export const createTail = ({ database, log, isWanted, take }: TailDeps) => {
  let position: EventPosition | null = null
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> | null = null
  let beginning: Promise<EventPosition> | null = null
  let again = false
  let stopped = false
  let wait = POLL_MS
  let lastLook = 0

  const schedule = (delay: number) => {
    if (stopped) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(begin, delay)
    timer.unref()
  }

  const look = async () => {
    for (let more = true; more && position && !stopped; ) {
      const page = await eventsAfter(database.read, position, PAGE)
      // A client that connects now starts after this page.
      position = page.next
      more = page.more
      wait = page.held ? Math.min(POLL_MS, wait === POLL_MS ? GAP_MS : wait * 2) : POLL_MS
      if (page.events.length === 0) continue
      // After a power failure, the database may assign lost ids again; a client that had seen them would miss the new events.
      await database.waitUntilDurable()
      await take(page.events)
    }
  }

  const begin = () => {
    timer = null
    if (!isWanted()) {
      position = null
      return
    }
    again = false
    lastLook = performance.now()
    looking = look()
      .catch((error) => {
        wait = POLL_MS
        log.warn({ event: 'event_read_failed', err: error }, 'events cannot be read')
      })
      .finally(() => {
        looking = null
        schedule(again ? GAP_MS : wait)
      })
  }

  return {
    /** Position of the tail; null while it pauses. */
    position: () => position,
    /** Starts at the end, unless the tail is running. */
    start: async (): Promise<void> => {
      if (position) return
      beginning ??= latestPosition(database.read).finally(() => {
        beginning = null
      })
      const end = await beginning
      await database.waitUntilDurable()
      if (position) return
      position = end
      schedule(0)
    },
    /** Wakes the tail because there may be new events. */
    wake: () => {
      again = true
      if (position && !looking) schedule(Math.max(0, GAP_MS - (performance.now() - lastLook)))
    },
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      timer = null
      await looking
    },
  }
}
