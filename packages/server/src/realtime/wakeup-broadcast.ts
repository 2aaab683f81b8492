import { randomUUID } from 'node:crypto'
import type { Listening } from '../db/index.ts'
import type { RedisSignals, Signals } from './pubsub.ts'

/** Minimum interval of notifications to other processes, however much is written. */
const GAP_MS = 25

export interface Wakeups {
  /** Notifies other processes of new events. This does not delay the write, because it happens later and once for many. */
  say(): void
  /** Calls `heard` whenever another process sends a notification. */
  listen(heard: () => void): void
  close(): Promise<void>
}

/**
 * Carries wake-ups between processes, through Redis if configured, else through the database if it supports that. Readers also poll, so
 * only latency depends on it.
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
      // A notification may have been missed while the subscription was not active.
      const listener = { heard: (from: string) => from !== self && heard(), began: heard }
      listenings = [database, ...(redis ? [redis] : [])].map((signals) => signals.on('lyceum_events', listener))
    },
    close: async () => {
      closed = true
      await Promise.all((listenings ?? []).map(({ stop }) => stop()))
    },
  }
}
