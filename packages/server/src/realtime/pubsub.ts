import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { connectRedis } from '../cluster/redis.ts'
import type { Database, SignalListener, Subscription } from '../db/index.ts'
import type { Log } from '../observability/log.ts'

/** A connection that sends requests notices a dead peer and reconnects; one that only listens would not. */
const BEAT_MS = 2000

type Channel = Parameters<Database['onSignal']>[0]

/** Carries short messages between processes; messages without a listener are lost. */
interface Signals {
  on(channel: Channel, listener: SignalListener): Subscription
  /** Rejects if the messages could not be sent. */
  publish(channel: Channel, texts: readonly string[]): Promise<void>
}

export const databaseSignals = (database: Database): Signals => ({
  on: (channel, listener) => database.onSignal(channel, listener),
  publish: (channel, texts) => database.signal(channel, texts),
})

interface RedisSignals extends Signals {
  /** Whether a message can currently be sent. */
  isReady(): boolean
  close(): void
}

/** Signals through one Redis connection. `scope` separates communities, because channels ignore database numbers. */
export const createRedisSignals = (url: string, redis: Redis, scope: string, log: Log): RedisSignals => {
  const listeners = new Map<string, Set<SignalListener>>()
  let subscriber: Redis | null = null
  const subscribed = new Set<string>()
  const beating = setInterval(() => void subscriber?.ping().catch(() => {}), BEAT_MS).unref()

  const nameOf = (channel: Channel) => `${channel}:${scope}`

  const subscribe = async (name: string) => {
    const current = subscriber
    if (current?.status !== 'ready') return
    await current.subscribe(name)
    if (subscriber !== current || current.status !== 'ready') return
    subscribed.add(name)
    for (const listener of listeners.get(name) ?? []) listener.onSubscribed?.()
  }
  const subscribeSafely = (name: string) => void subscribe(name).catch(() => subscriber?.disconnect(true))

  const connect = (): Redis | null => {
    const made = connectRedis(url, log, { autoResubscribe: false })
    made?.on('ready', () => {
      for (const name of listeners.keys()) subscribeSafely(name)
    })
    made?.on('close', () => {
      const lost = [...subscribed].flatMap((name) => [...(listeners.get(name) ?? [])])
      subscribed.clear()
      for (const listener of lost) listener.onDisconnected?.()
    })
    made?.on('message', (name: string, text: string) => {
      for (const listener of listeners.get(name) ?? []) listener.onMessage(text)
    })
    return made
  }

  return {
    on: (channel, listener) => {
      const name = nameOf(channel)
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own.add(listener))
      if (subscriber) subscribeSafely(name)
      else subscriber = connect()
      return {
        stop: async () => {
          own.delete(listener)
        },
      }
    },
    isReady: () => redis.status === 'ready',
    publish: async (channel, texts) => {
      await Promise.all(texts.map((text) => redis.publish(nameOf(channel), text)))
    },
    close: () => {
      clearInterval(beating)
      subscriber?.disconnect()
      subscriber = null
    },
  }
}

/** Minimum interval of notifications to other processes, however much is written. */
const GAP_MS = 25

/** Carries wake-ups between processes, through Redis or the database. Readers also poll, so only latency depends on it. */
export const createWakeups = (database: Signals, redis: RedisSignals | null) => {
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
    /** Notifies other processes of new events. This does not delay the write, because it happens later and once for many. */
    notify,
    /** Calls `onWakeUp` whenever another process sends a notification. */
    listen: (onWakeUp: () => void) => {
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

export type Wakeups = ReturnType<typeof createWakeups>
