import { type Database, type EventPosition, eventsAfter, latestPosition, type TailedEvent } from '../db/index.ts'
import type { Log } from '../observability/log.ts'

const PAGE = 200
/** Without a wake-up it is looked so often: somebody else may have written. */
const POLL_MS = 1000
/** Between two looks, so that what happens at once is worked off at once. */
const GAP_MS = 20

export interface TailDeps {
  readonly database: Database
  readonly log: Log
  /** Whether anybody wants events; else the tail rests, and begins at the end when somebody does again. */
  readonly isWanted: () => boolean
  /** Takes a page; the next one is not read before it has. Never rejects. */
  readonly take: (events: readonly TailedEvent[]) => Promise<void>
}

/** Reads what is committed to the table of events, once for the whole process and in order. */
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
      // Whoever comes now begins behind this page, and does not hear of it.
      position = page.next
      more = page.more
      wait = page.held ? Math.min(POLL_MS, wait === POLL_MS ? GAP_MS : wait * 2) : POLL_MS
      if (page.events.length === 0) continue
      // Ids that a power cut takes back are given out once more: a client that had seen them would miss what they stand for then.
      await database.settled()
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
    /** Where the tail stands; null while it rests. */
    position: () => position,
    /** Begins at the end, unless it is under way. */
    start: async (): Promise<void> => {
      if (position) return
      beginning ??= latestPosition(database.read).finally(() => {
        beginning = null
      })
      const end = await beginning
      await database.settled()
      if (position) return
      position = end
      schedule(0)
    },
    /** There may be something to read. */
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

export type Tail = ReturnType<typeof createTail>
