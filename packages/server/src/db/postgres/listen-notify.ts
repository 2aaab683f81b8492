import pg from 'pg'

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 2000
const CONNECT_WITHIN_MS = 2000
/** After this the listening connection is taken for dead, and what is to be said is said through the pool. */
const ANSWER_WITHIN_MS = 500
/** A network that was cut tells nobody, so that the listening connection is asked now and then. */
const BEAT_MS = 2000

/** What processes on one database tell each other. */
export type SignalChannel = 'lyceum_events'

export interface SignalListener {
  heard(text: string): void
  /** From now on everything is heard; what was said before is lost. */
  began?(): void
  /** The connection is gone. */
  broke?(): void
}

export interface Listening {
  stop(): Promise<void>
}

type Run = (text: string, values: unknown[]) => Promise<unknown>

const within = (work: Promise<unknown>): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const timer = setTimeout(() => reject(new Error('the listening connection did not answer')), ANSWER_WITHIN_MS)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}

/**
 * Listens on one connection of its own, for all channels, and comes back when that breaks. Without an address, as behind a pooler that hands
 * sessions around, nothing is ever heard; whoever listens must look now and then by himself. `run` says what is to be said meanwhile.
 */
export const createSignals = (url: string, run: Run) => {
  const listeners = new Map<SignalChannel, Set<SignalListener>>()
  let client: pg.Client | null = null
  /** The channels that the connection listens to; none before it stands. */
  let listening: readonly SignalChannel[] = []
  let timer: NodeJS.Timeout | null = null
  let delay = FIRST_RETRY_MS
  let turn: Promise<unknown> = Promise.resolve()

  /** One statement after the other, on this connection. */
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
    for (const listener of lost) listener.broke?.()
    if (listeners.size === 0) return
    timer = setTimeout(connect, delay)
    timer.unref()
    delay = Math.min(LONGEST_RETRY_MS, delay * 2)
  }

  /** Listens to the channels that have come since, until there are no more. */
  const join = async (current: pg.Client): Promise<void> => {
    const missing = [...listeners.keys()].filter((channel) => !listening.includes(channel))
    if (missing.length === 0 || client !== current) return
    await send(current, missing.map((channel) => `listen ${channel}`).join('; '))
    if (client !== current) return
    delay = FIRST_RETRY_MS
    listening = [...listening, ...missing]
    for (const listener of of(missing)) listener.began?.()
    return join(current)
  }

  const beat = () => {
    const current = client
    if (current && listening.length > 0) within(send(current, 'select 1')).catch(() => retry(current))
  }
  let beating: NodeJS.Timeout | null = null

  const connect = () => {
    timer = null
    beating ??= setInterval(beat, BEAT_MS).unref()
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
      for (const listener of listeners.get(channel as SignalChannel) ?? []) listener.heard(payload)
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
    on: (channel: SignalChannel, listener: SignalListener): Listening => {
      const current = client
      const stands = listening.length > 0
      const own = listeners.get(channel) ?? new Set()
      listeners.set(channel, own.add(listener))
      if (!current && !timer && url) connect()
      else if (current && listening.includes(channel)) queueMicrotask(() => listener.began?.())
      else if (current && stands) join(current).catch(() => retry(current))
      return {
        stop: async () => {
          own.delete(listener)
          if (own.size === 0 && listeners.get(channel) === own) listeners.delete(channel)
          if (listeners.size === 0) await close()
        },
      }
    },

    say: async (channel: SignalChannel, texts: readonly string[]): Promise<void> => {
      const text = `select ${texts.map((_, i) => `pg_notify('${channel}', $${i + 1})`).join(', ')}`
      const current = client
      // The pool may be busy; the listening connection never is.
      if (!current || listening.length === 0) return void (await run(text, [...texts]))
      await within(send(current, text, [...texts])).catch(() => run(text, [...texts]))
    },
  }
}
