import { randomUUID } from 'node:crypto'
import type { Listening } from '../db/index.ts'
import type { RedisSignals, Signals } from './pubsub.ts'

/** Other processes are told at most once in this time, however much is written. */
const GAP_MS = 25

export interface Wakeups {
  /** Tells the other processes that there is something to look at. Costs the write nothing: it is said afterwards, and once for many. */
  say(): void
  /** From now on `heard` is called when another process says so. */
  listen(heard: () => void): void
  close(): Promise<void>
}

/**
 * Carries nothing but “look now” between processes: through Redis where there is one, else through the database where that can. Whoever
 * listens looks now and then by himself as well, so that nothing depends on it but speed.
 */
export const createWakeups = (database: Signals, redis: RedisSignals | null): Wakeups => {
  const self = randomUUID()
  let listenings: readonly Listening[] | null = null
  let saying = false
  let again = false
  let closed = false

  const send = () => (redis?.isReady() ? redis : database).say('lyceum_events', [self])

  const say = () => {
    if (closed) return
    again = saying
    if (saying) return
    saying = true
    send()
      .catch(() => {})
      .finally(() => {
        const rest = setTimeout(() => {
          saying = false
          if (again) say()
        }, GAP_MS)
        rest.unref()
      })
  }

  return {
    say,
    listen: (heard) => {
      if (listenings || closed) return
      // Something may have been said while nobody listened.
      const listener = { heard: (from: string) => from !== self && heard(), began: heard }
      listenings = [database, ...(redis ? [redis] : [])].map((signals) => signals.on('lyceum_events', listener))
    },
    close: async () => {
      closed = true
      await Promise.all((listenings ?? []).map(({ stop }) => stop()))
    },
  }
}
