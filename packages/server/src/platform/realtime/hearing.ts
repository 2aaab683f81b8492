import type { Listening } from '../../db/index.ts'
import type { Signals } from './signals.ts'

export const CHANNEL = 'lyceum_changes'

/** How long the instances wait for each other, in ms. */
export interface Pace {
  /** Between two pings. */
  readonly ping: number
  /** Until then everybody has heard that this process is there, or knows that he hears badly. */
  readonly ask: number
  /** Another one who is silent for so long may have died between a commit and telling of it. */
  readonly lostAfter: number
  /** Whoever has not heard himself for so long does not know what he misses. */
  readonly deafAfter: number
  /** A silence up to this, as of a process that was busy, does no more harm than that; after a longer one it is begun anew. */
  readonly grace: number
  /** A connection that stays silent is made anew. */
  readonly renew: number
}

export const PACE: Pace = { ping: 300, ask: 1500, lostAfter: 2500, deafAfter: 1000, grace: 3000, renew: 5000 }

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

export const createHearing = (
  signals: Signals,
  self: string,
  { deafAfter, grace, renew }: Pace,
  hear: (message: Message) => void,
  lost: () => void,
): Hearing => {
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
    if (silence() > grace) forget()
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

  const lasting = (since: number | null) => (since === null || silence() > grace ? 0 : performance.now() - since)

  return {
    isFresh: () => silence() < deafAfter,
    steadyFor: () => lasting(steadySince),
    askingFor: () => lasting(askingSince),
    hasWorked: () => worked,
    ping: (asks) => {
      if (worked && Math.min(silence(), performance.now() - renewed) > renew) {
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
