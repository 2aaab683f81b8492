import pg from 'pg'
import { withTimeout } from '../../util/with-timeout.ts'

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 2000
const CONNECT_WITHIN_MS = 2000
/** Without a response by then, the listening connection counts as dead, and signals are sent through the pool. */
const RESPONSE_WITHIN_MS = 500
/** The listening connection is checked at this interval, since an interrupted network causes no error. */
const HEARTBEAT_MS = 2000

/** Channels between the processes on one database. */
export type SignalChannel = 'lyceum_events'

export interface SignalListener {
  onMessage(text: string): void
  /** The subscription has started; earlier signals are lost. */
  onSubscribed?(): void
  /** The connection is lost. */
  onDisconnected?(): void
}

export interface Subscription {
  stop(): Promise<void>
}

type Run = (text: string, values: unknown[]) => Promise<unknown>

const within = async (work: Promise<unknown>): Promise<void> => {
  if ((await withTimeout(work, RESPONSE_WITHIN_MS, null)) === null) throw new Error('the listening connection did not answer')
}

/**
 * Listens to all channels on one connection, and reconnects when it breaks. Without an address, as behind a pooler in transaction mode, no
 * signals arrive, and listeners must poll. `run` sends signals through the pool while the connection is down.
 */
export const createSignals = (url: string, run: Run) => {
  const listeners = new Map<SignalChannel, Set<SignalListener>>()
  let client: pg.Client | null = null
  /** The channels that the connection listens to; none before it is established. */
  let listening: readonly SignalChannel[] = []
  let timer: NodeJS.Timeout | null = null
  let delay = FIRST_RETRY_MS
  let turn: Promise<unknown> = Promise.resolve()

  /** Runs the statements of this connection one after the other. */
  const send = (current: pg.Client, text: string, values: string[] = []): Promise<unknown> => {
    const sent = turn.then(() => current.query(text, values))
    turn = sent.catch(() => {})
    return sent
  }

  const of = (channels: Iterable<SignalChannel>) => [...channels].flatMap((channel) => [...(listeners.get(channel) ?? [])])

  const retry = (broken: pg.Client) => {
    if (client !== broken) return
    client = null
    const lost = of(listening)
    listening = []
    void broken.end().catch(() => {})
    for (const listener of lost) listener.onDisconnected?.()
    if (listeners.size === 0) return
    timer = setTimeout(connect, delay)
    timer.unref()
    delay = Math.min(LONGEST_RETRY_MS, delay * 2)
  }

  /** Listens to new channels until there are none. */
  const join = async (current: pg.Client): Promise<void> => {
    const missing = [...listeners.keys()].filter((channel) => !listening.includes(channel))
    if (missing.length === 0 || client !== current) return
    await send(current, missing.map((channel) => `listen ${channel}`).join('; '))
    if (client !== current) return
    delay = FIRST_RETRY_MS
    listening = [...listening, ...missing]
    for (const listener of of(missing)) listener.onSubscribed?.()
    return join(current)
  }

  const beat = () => {
    const current = client
    if (current && listening.length > 0) within(send(current, 'select 1')).catch(() => retry(current))
  }
  let beating: NodeJS.Timeout | null = null

  const connect = () => {
    timer = null
    beating ??= setInterval(beat, HEARTBEAT_MS).unref()
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'lyceum listener',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
    })
    client = fresh
    turn = Promise.resolve()
    fresh.on('error', () => retry(fresh))
    fresh.on('end', () => retry(fresh))
    fresh.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners.get(channel as SignalChannel) ?? []) listener.onMessage(payload)
    })
    fresh
      .connect()
      .then(() => join(fresh))
      .catch(() => retry(fresh))
  }

  const close = async () => {
    if (timer) clearTimeout(timer)
    if (beating) clearInterval(beating)
    timer = null
    beating = null
    const last = client
    client = null
    listening = []
    await last?.end().catch(() => {})
  }

  return {
    on: (channel: SignalChannel, listener: SignalListener): Subscription => {
      const current = client
      const isEstablished = listening.length > 0
      const own = listeners.get(channel) ?? new Set()
      listeners.set(channel, own.add(listener))
      if (!current && !timer && url) connect()
      else if (current && listening.includes(channel)) queueMicrotask(() => listener.onSubscribed?.())
      else if (current && isEstablished) join(current).catch(() => retry(current))
      return {
        stop: async () => {
          own.delete(listener)
          if (own.size === 0 && listeners.get(channel) === own) listeners.delete(channel)
          if (listeners.size === 0) await close()
        },
      }
    },

    notify: async (channel: SignalChannel, texts: readonly string[]): Promise<void> => {
      const text = `select ${texts.map((_, i) => `pg_notify('${channel}', $${i + 1})`).join(', ')}`
      const current = client
      // The listening connection is never busy, unlike the pool.
      if (!current || listening.length === 0) return void (await run(text, [...texts]))
      await within(send(current, text, [...texts])).catch(() => run(text, [...texts]))
    },
  }
}
