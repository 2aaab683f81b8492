import type { Counter, Gauge } from 'prom-client'
import { lazyRequire } from '../util/lazy.ts'

const prometheus = lazyRequire<typeof import('prom-client')>('prom-client')

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]
/** The value of a metric without labels, or a sample for each combination of labels. */
type Reading = number | Iterable<Sample>

const samplesOf = (reading: Reading): Iterable<Sample> => (typeof reading === 'number' ? [[{}, reading]] : reading)

/** A registry of metrics that are counted elsewhere and read at each scrape. */
export const createScrapedMetrics = () => {
  const prom = prometheus()
  const registry = new prom.Registry()
  prom.collectDefaultMetrics({ register: registry, prefix: 'lyceum_' })
  const options = (name: string, help: string, labelNames: readonly string[], read: () => Reading | Promise<Reading>) => ({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect(this: Counter | Gauge) {
      const samples = samplesOf(await read())
      this.reset()
      for (const [labels, value] of samples) this.inc(labels, value)
    },
  })
  return {
    registry,
    gauge: (...metric: Parameters<typeof options>) => new prom.Gauge(options(...metric)),
    counter: (...metric: Parameters<typeof options>) => new prom.Counter(options(...metric)),
  }
}

export type ScrapedMetrics = ReturnType<typeof createScrapedMetrics>
