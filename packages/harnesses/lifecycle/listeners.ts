import { createClient } from '@lyceum/sdk'
import type { Person } from '../kit/people.ts'

export interface StreamClient {
  /** Published feeds it was notified of, including duplicates. */
  readonly feeds: readonly number[]
  /** Number of reset events. */
  readonly resets: number
  /** Number of times the stream started. */
  readonly begun: number
  /** Resolves when the stream starts for the first time. */
  readonly ready: Promise<void>
  stop(): Promise<void>
}

/** Listens with the SDK, which reconnects with its last event id. */
export const openStreamClient = (baseUrl: string, { authorization }: Person): StreamClient => {
  const [username = '', password = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
  const abort = new AbortController()
  const feeds: number[] = []
  let resets = 0
  let begun = 0
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
  })
  const listening = (async () => {
    for await (const { event, data } of createClient({ baseUrl, username, password }).stream.listen({}, { signal: abort.signal })) {
      if (event === 'reset') resets += 1
      if (event === 'ready') {
        begun += 1
        isReady()
      }
      if (event === 'feed' && data.action === 'published') feeds.push(data.feed_id)
    }
  })()
  listening.catch(() => {})
  return {
    feeds,
    get resets() {
      return resets
    },
    get begun() {
      return begun
    },
    ready,
    stop: async () => {
      abort.abort()
      await listening.catch(() => {})
    },
  }
}

/** How many of these feeds a listener missed and how many it received twice. */
export const missedBy = ({ feeds }: Pick<StreamClient, 'feeds'>, published: readonly number[]): { missed: number[]; twice: number } => {
  const heard = new Set(feeds)
  return { missed: published.filter((id) => !heard.has(id)), twice: feeds.length - heard.size }
}
