import { randomUUID } from 'node:crypto'
import type { Subscription } from '../db/index.ts'
import type { RedisSignals, Signals } from './pubsub.ts'

/** Minimum interval of notifications to other processes, however much is written. */
const GAP_MS = 25

export interface Wakeups {
  /** Notifies other processes of new events. This does not delay the write, because it happens later and once for many. */
  notify(): void
  /** Calls `onWakeUp` whenever another process sends a notification. */
  listen(onWakeUp: () => void): void
  close(): Promise<void>
}

/**
 * Carries wake-ups between processes, through Redis if configured, else through the database if it supports that. Readers also poll, so
 * only latency depends on it.
 */
export const createWakeups = (database: Signals, redis: RedisSignals | null): Wakeups => {
  const self = randomUUID()
  let subscriptions: readonly Subscription[] | null = null
  let sending = false
  let again = false
  let closed = false

  const send = () => (redis?.isReady() ? redis : database).publish('lyceum_events', [self])

  const notify = () => {
    if (closed) return
    again = sending
    if (sending) return
    sending = true
    send()
      .catch(() => {})
      .finally(() => {
        const rest = setTimeout(() => {
          sending = false
          if (again) notify()
        }, GAP_MS)
        rest.unref()
      })
  }

  return {
    notify,
    listen: (onWakeUp) => {
      if (subscriptions || closed) return
      // A notification may have been missed while the subscription was not active.
      const listener = { onMessage: (from: string) => from !== self && onWakeUp(), onSubscribed: onWakeUp }
      subscriptions = [database, ...(redis ? [redis] : [])].map((signals) => signals.on('lyceum_events', listener))
    },
    close: async () => {
      closed = true
      await Promise.all((subscriptions ?? []).map(({ stop }) => stop()))
    },
  }
}
