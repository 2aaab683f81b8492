import type { Registry } from 'prom-client'
import { library } from '../util/lazy.ts'
import type { Caches } from './index.ts'

const prometheus = library<typeof import('prom-client')>('prom-client')

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
        for (const one of caches.figures().caches) this.set({ cache: one.name }, one[figure])
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
        for (const one of caches.figures().caches) this.inc({ cache: one.name }, one[figure])
      },
    })
  total('lyceum_cache_hits_total', 'What was asked for and found in memory', 'hits')
  total('lyceum_cache_misses_total', 'What was asked for and not in memory, or not up to date', 'misses')
  now('lyceum_cache_entries', 'What is kept in memory', 'entries')
  now('lyceum_cache_bytes', 'About how many bytes of memory that takes', 'bytes')
  new Counter({
    name: 'lyceum_cache_changes_total',
    help: 'Changed rows that the caches heard of, and how often everything fell because some may have been missed',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      const { changes, everything } = caches.figures()
      this.inc({ kind: 'row' }, changes)
      this.inc({ kind: 'everything' }, everything)
    },
  })
  new Gauge({
    name: 'lyceum_cache_holds',
    help: 'Whether anything is kept at present: it is known what was committed',
    registers,
    collect() {
      this.set(caches.holds() ? 1 : 0)
    },
  })
}
