import type { Listening } from '../../db/index.ts'
import type { Signals } from './signals.ts'

export const CHANNEL = 'lyceum_changes'
/** Whoever has not heard himself for so long does not know what he misses. */
const DEAF_AFTER_MS = 1000
/** A silence up to this, as of a process that was busy, does no more harm than that; after a longer one it is begun anew. */
export const GRACE_MS = 3000
/** A connection that stays silent is made anew. */
const RENEW_MS = 5000

export interface Message {
  readonly from: string
  readonly kind: 'ping' | 'changed' | 'bye'
  readonly text: string
}

export const messageOf = (from: string, kind: Message['kind'], text: string): string => `${from} ${kind} ${text}`

/** How well this process hears through one carrier: by its own pings, that come back behind everything that was said before them. */
export interface Hearing {
  /** Everything that was said until some hundred milliseconds ago has been heard. */
  isFresh(): boolean
  /** How long it has been so, and how long this process has told others meanwhile that it hears nothing else; in ms, 0: not at all. */
  steadyFor(): number
  askingFor(): number
  /** It has ever heard anything. */
  hasWorked(): boolean
  ping(asks: boolean): void
  stop(): Promise<void>
}

export const createHearing = (signals: Signals, self: string, hear: (message: Message) => void, lost: () => void): Hearing => {
  let heardUpTo = -Infinity
  let steadySince: number | null = null
  let askingSince: number | null = null
  let worked = false
  let renewed = performance.now()
  let pinging = false

  const silence = () => performance.now() - heardUpTo

  const forget = () => {
    heardUpTo = -Infinity
    steadySince = null
    askingSince = null
  }

  /** Own pings say when they were sent. */
  const heardSelf = (text: string) => {
    const [sent, asks] = text.split(' ')
    worked = true
    if (silence() > GRACE_MS) forget()
    heardUpTo = Math.max(heardUpTo, Number(sent))
    steadySince ??= performance.now()
    if (asks === '0') askingSince = null
    else askingSince ??= performance.now()
  }

  const listening: Listening = signals.on(CHANNEL, {
    heard: (raw) => {
      const [from = '', kind = '', ...rest] = raw.split(' ')
      const message = { from, kind, text: rest.join(' ') } as Message
      if (from === self && kind === 'ping') heardSelf(message.text)
      else if (from !== self) hear(message)
    },
    began: () => {
      forget()
      lost()
    },
    broke: () => {
      forget()
      lost()
    },
  })

  const lasting = (since: number | null) => (since === null || silence() > GRACE_MS ? 0 : performance.now() - since)

  return {
    isFresh: () => silence() < DEAF_AFTER_MS,
    steadyFor: () => lasting(steadySince),
    askingFor: () => lasting(askingSince),
    hasWorked: () => worked,
    ping: (asks) => {
      if (worked && Math.min(silence(), performance.now() - renewed) > RENEW_MS) {
        renewed = performance.now()
        listening.renew()
      }
      if (pinging) return
      pinging = true
      signals
        .say(CHANNEL, [messageOf(self, 'ping', `${performance.now()} ${asks ? 1 : 0}`)])
        .catch(() => {})
        .finally(() => {
          pinging = false
        })
    },
    stop: () => listening.stop(),
  }
}
