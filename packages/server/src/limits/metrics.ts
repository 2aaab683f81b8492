import type { Services } from '../core/context.ts'
import type { ScrapedMetrics } from '../observability/scraped-metrics.ts'
import { freeBytes, storedBytes } from '../storage/usage.ts'
import { withTimeout } from '../util/with-timeout.ts'

const WITHIN_MS = 2000

/** Refusals by kind, and how much storage is in use. */
export const limitMetrics = ({ counter, gauge }: ScrapedMetrics, { budgets, config, database }: Services): void => {
  counter('lyceum_refusals_total', 'Requests and emails rejected by a rate limit or quota, by kind', ['kind'], () =>
    [...budgets.refusals()].map(([kind, count]) => [{ kind }, count]),
  )
  gauge('lyceum_media_bytes', 'Bytes of attached and of unattached uploads; updated every minute', ['state'], async () => {
    const stored = await withTimeout(storedBytes(database), WITHIN_MS, null).catch(() => null)
    return stored ? Object.entries(stored).map(([state, bytes]) => [{ state }, bytes]) : []
  })
  gauge('lyceum_disk_free_bytes', 'Free disk space of the data directory in bytes', [], async () => (await freeBytes(config.dataDir)) ?? 0)
}
