import type { Registry } from 'prom-client'
import { lazyRequire } from '../util/lazy.ts'
import type { Caches } from './index.ts'

const prometheus = lazyRequire<typeof import('prom-client')>('prom-client')

/** Figures of what is kept in memory. The caches count for themselves, so that looking something up costs no more than it must. */
export const cacheMetrics = (register: Registry, caches: Caches): void => {
  const { Counter, Gauge } = prometheus()
  const registers = [register]
  const now = (name: string, help: string, figure: 'entries' | 'bytes') =>
    new Gauge({
      name,
      help,
      labelNames: ['cache'],
      registers,
      collect() {
        for (const one of caches.stats().caches) this.set({ cache: one.name }, one[figure])
      },
    })
  const total = (name: string, help: string, figure: 'hits' | 'misses') =>
    new Counter({
      name,
      help,
      labelNames: ['cache'],
      registers,
      collect() {
        this.reset()
        for (const one of caches.stats().caches) this.inc({ cache: one.name }, one[figure])
      },
    })
  total('lyceum_cache_hits_total', 'Cache hits by cache', 'hits')
  total('lyceum_cache_misses_total', 'Cache misses by cache, including outdated entries', 'misses')
  now('lyceum_cache_entries', 'Cache entries by cache', 'entries')
  now('lyceum_cache_bytes', 'Estimated bytes of memory used by each cache', 'bytes')
  new Counter({
    name: 'lyceum_cache_changes_total',
    help: 'Cache invalidations by changed rows, and complete invalidations because changes may have been missed',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      const { changes, everything } = caches.stats()
      this.inc({ kind: 'row' }, changes)
      this.inc({ kind: 'everything' }, everything)
    },
  })
  new Gauge({
    name: 'lyceum_cache_holds',
    help: 'Whether the caches are in use: 1 while all commits are known',
    registers,
    collect() {
      this.set(caches.isUsable() ? 1 : 0)
    },
  })
}
