import type { Services } from '../../../core/context.ts'
import { searchMemoryOf } from './feed-index.ts'

/** The first answers of a start come before it. */
const AFTER_MS = 2000
/** Where no id is higher, what searches need is read within a tenth of a second: whoever searches first does not miss it. */
const FEW = 20_000

export interface SearchAhead {
  start(): void
  stop(): Promise<void>
}

/** Reads what searches and filters need into memory soon after a start, beside whatever else there is to do, so that the first who searches need not wait for it. */
export const createSearchAhead = (
  { database, log }: Pick<Services, 'database' | 'log'>,
  { afterMs = AFTER_MS, few = FEW } = {},
): SearchAhead => {
  const memory = searchMemoryOf(database)
  let timer: NodeJS.Timeout | null = null
  let reading: Promise<void> = Promise.resolve()
  const read = () => {
    // The first search tries again.
    reading = memory.readAhead(database.read, few).catch((error) => log.warn({ err: error }, 'searches were not read ahead'))
  }
  return {
    start: () => {
      timer = setTimeout(read, afterMs)
      timer.unref()
    },
    stop: async () => {
      if (timer) clearTimeout(timer)
      memory.end()
      await reading
    },
  }
}
