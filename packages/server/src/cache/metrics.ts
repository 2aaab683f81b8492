import type { ScrapedMetrics } from '../observability/scraped-metrics.ts'
import type { Caches } from './index.ts'

/** Figures of what is kept in memory. The caches count for themselves, so that looking something up costs no more than it must. */
export const cacheMetrics = ({ counter, gauge }: ScrapedMetrics, caches: Caches): void => {
  const each = (figure: 'entries' | 'bytes' | 'hits' | 'misses') => () =>
    caches.stats().caches.map((one) => [{ cache: one.name }, one[figure]] as const)
  counter('lyceum_cache_hits_total', 'Cache hits by cache', ['cache'], each('hits'))
  counter('lyceum_cache_misses_total', 'Cache misses by cache, including outdated entries', ['cache'], each('misses'))
  gauge('lyceum_cache_entries', 'Cache entries by cache', ['cache'], each('entries'))
  gauge('lyceum_cache_bytes', 'Estimated bytes of memory used by each cache', ['cache'], each('bytes'))
  counter(
    'lyceum_cache_changes_total',
    'Cache invalidations by changed rows, and complete invalidations because changes may have been missed',
    ['kind'],
    () => {
      const { changes, everything } = caches.stats()
      return [
        [{ kind: 'row' }, changes],
        [{ kind: 'everything' }, everything],
      ]
    },
  )
  gauge('lyceum_cache_usable', 'Whether the caches are in use: 1 while all commits are known', [], () => (caches.isUsable() ? 1 : 0))
}
