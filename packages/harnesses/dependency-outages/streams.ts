import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from '../kit/people.ts'
import type { Headers } from './caller.ts'
import type { Server } from './stage.ts'

const AGAIN_AFTER_MS = 100
const EVENT = /^(?:event: (.*)\n)?(?:id: (.*)\n)?(?:data: (.*)\n)?$/

/** One who listens at an instance, and comes back with his place whenever the stream breaks. */
export interface Ear {
  /** Feeds that he has been told of as published. */
  readonly feeds: ReadonlySet<number>
  /** How often he was told to begin anew: of what was before he may know nothing. */
  readonly resets: number
  /** Statuses that he got instead of a stream, and how often he came back. */
  readonly refused: ReadonlySet<number>
  readonly returns: number
  stop(): Promise<void>
}

/** Listens once until the stream ends; the status that was answered, 0 for none. */
const listenOnce = (base: string, headers: Record<string, string>, heard: (text: string) => void, signal: AbortSignal): Promise<number> =>
  new Promise((resolve) => {
    const sent = get(`${base}/stream`, { headers, signal, agent: false }, (response) => {
      const { statusCode: status = 0 } = response
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        const parts = (rest + chunk).split('\n\n')
        rest = parts.pop() ?? ''
        if (status === 200) for (const part of parts) heard(`${part}\n`)
      })
      response.on('error', () => {})
      response.on('close', () => resolve(status))
    })
    sent.on('error', () => resolve(0))
  })

/** What somebody sends to show who he is. */
export const credentialOf = ({ authorization }: Person): Headers => ({ authorization })

export const openEar = async ({ base }: Pick<Server, 'base'>, own: Headers): Promise<Ear> => {
  const feeds = new Set<number>()
  const refused = new Set<number>()
  const abort = new AbortController()
  const ready = Promise.withResolvers<void>()
  let place = ''
  let resets = 0
  let returns = -1
  const heard = (text: string) => {
    const [, name = '', id, data] = EVENT.exec(text.replace(/^:.*\n/gm, '')) ?? []
    if (id) place = id
    if (name === 'ready') ready.resolve()
    if (name === 'reset') resets += 1
    const known = data ? (JSON.parse(data) as { action?: string; feed_id?: number }) : {}
    if (name === 'feed' && known.action === 'published' && known.feed_id) feeds.add(known.feed_id)
  }
  const goOn = async () => {
    while (!abort.signal.aborted) {
      returns += 1
      const status = await listenOnce(base, { ...own, ...(place && { 'last-event-id': place }) }, heard, abort.signal)
      if (status !== 200) refused.add(status)
      if (!abort.signal.aborted) await pause(AGAIN_AFTER_MS)
    }
  }
  const ended = goOn()
  await ready.promise
  return {
    feeds,
    refused,
    get resets() {
      return resets
    },
    get returns() {
      return returns
    },
    stop: async () => {
      abort.abort()
      await ended
    },
  }
}

/** Milliseconds until all of them have been told of a feed; null when that takes longer than `withinMs`. */
export const untilTold = async (ears: readonly Ear[], feed: number, withinMs: number): Promise<number | null> => {
  const begun = performance.now()
  while (ears.some(({ feeds }) => !feeds.has(feed))) {
    if (performance.now() - begun > withinMs) return null
    await pause(10)
  }
  return performance.now() - begun
}
