import type { Services } from '../../../core/context.ts'
import { feedIndexOf } from './feed-index.ts'

/** Leaves the first seconds after startup to requests. */
const DELAY_MS = 2000
/** With lower ids only, the index loads within a tenth of a second, so no warm-up is needed. */
const MIN_FEED_ID = 20_000

export interface SearchWarmup {
  start(): void
  stop(): Promise<void>
}

/** Loads the search index soon after startup, in the background, so that the first search need not wait. */
export const createSearchWarmup = (
  { database, log }: Pick<Services, 'database' | 'log'>,
  { afterMs: delayMs = DELAY_MS, few: minFeedId = MIN_FEED_ID } = {},
): SearchWarmup => {
  const index = feedIndexOf(database)
  let timer: NodeJS.Timeout | null = null
  let loading: Promise<void> = Promise.resolve()
  const load = () => {
    // The first search tries again.
    loading = index
      .preload(database.read, minFeedId)
      .catch((error) => log.warn({ event: 'search_warmup_failed', err: error }, 'search index warm-up failed'))
  }
  return {
    start: () => {
      timer = setTimeout(load, delayMs)
      timer.unref()
    },
    stop: async () => {
      if (timer) clearTimeout(timer)
      index.stop()
      await loading
    },
  }
}
