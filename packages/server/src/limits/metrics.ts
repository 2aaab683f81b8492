import type { Registry } from 'prom-client'
import type { Services } from '../core/context.ts'
import { freeBytes, storedBytes } from '../storage/usage.ts'
import { lazyRequire } from '../util/lazy.ts'
import { withTimeout } from '../util/with-timeout.ts'

const prometheus = lazyRequire<typeof import('prom-client')>('prom-client')

/** The longest that a scrape waits for one figure. */
const WITHIN_MS = 2000

/** Refusals by kind, and how much storage is in use. */
export const limitMetrics = (register: Registry, { budgets, config, database }: Services): void => {
  const { Counter, Gauge } = prometheus()
  const registers = [register]
  new Counter({
    name: 'lyceum_refusals_total',
    help: 'Requests and emails rejected by a rate limit or quota, by kind',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      for (const [kind, count] of budgets.refusals()) this.inc({ kind }, count)
    },
  })
  new Gauge({
    name: 'lyceum_media_bytes',
    help: 'Bytes of attached and of unattached uploads; updated every minute',
    labelNames: ['state'],
    registers,
    async collect() {
      const stored = await withTimeout(storedBytes(database), WITHIN_MS, null).catch(() => null)
      this.reset()
      if (!stored) return
      this.set({ state: 'attached' }, stored.attached)
      this.set({ state: 'unattached' }, stored.unattached)
    },
  })
  new Gauge({
    name: 'lyceum_disk_free_bytes',
    help: 'Free disk space of the data directory in bytes',
    registers,
    async collect() {
      const free = await freeBytes(config.dataDir)
      this.reset()
      if (free !== null) this.set(free)
    },
  })
}
