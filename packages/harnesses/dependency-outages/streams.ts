import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from '../kit/people.ts'
import type { Headers } from './caller.ts'
import type { Server } from './stage.ts'

const AGAIN_AFTER_MS = 100
const EVENT = /^(?:event: (.*)\n)?(?:id: (.*)\n)?(?:data: (.*)\n)?$/

/** A stream client that reconnects with its last event id whenever the stream breaks. */
export interface StreamClient {
  /** Feeds for which it received a publish event. */
  readonly feeds: ReadonlySet<number>
  /** Number of reset events; events before a reset may be missing. */
  readonly resets: number
  /** Error statuses received instead of a stream, and the number of reconnects. */
  readonly refused: ReadonlySet<number>
  readonly returns: number
  stop(): Promise<void>
}

/** Listens until the stream ends; returns the response status, or 0 without a response. */
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

/** The credential header of a person. */
export const credentialOf = ({ authorization }: Person): Headers => ({ authorization })

export const openStreamClient = async ({ base }: Pick<Server, 'base'>, own: Headers): Promise<StreamClient> => {
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

/** Milliseconds until every listener received the event of a feed; null after `withinMs`. */
export const untilDelivered = async (ears: readonly StreamClient[], feed: number, withinMs: number): Promise<number | null> => {
  const begun = performance.now()
  while (ears.some(({ feeds }) => !feeds.has(feed))) {
    if (performance.now() - begun > withinMs) return null
    await pause(10)
  }
  return performance.now() - begun
}
