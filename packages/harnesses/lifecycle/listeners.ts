import { createClient } from '@lyceum/sdk'
import type { Person } from '../kit/people.ts'

export interface Ear {
  /** Feeds that were told to be published, as often as they were. */
  readonly feeds: readonly number[]
  /** How often it was told to load everything anew. */
  readonly resets: number
  /** How often the stream has begun. */
  readonly begun: number
  /** Resolves once it has begun for the first time. */
  readonly ready: Promise<void>
  stop(): Promise<void>
}

/** Listens with the SDK, which comes back by itself and says where it was. */
export const openEar = (baseUrl: string, { authorization }: Person): Ear => {
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

/** Which of these feeds an ear was never told of, and how many it was told of twice. */
export const missedBy = ({ feeds }: Pick<Ear, 'feeds'>, published: readonly number[]): { missed: number[]; twice: number } => {
  const heard = new Set(feeds)
  return { missed: published.filter((id) => !heard.has(id)), twice: feeds.length - heard.size }
}
