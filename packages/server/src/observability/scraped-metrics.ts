import { lazyRequire } from '../util/lazy.ts'

const prometheus = lazyRequire<typeof import('prom-client')>('prom-client')

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]
/** The value of a metric without labels, or a sample for each combination of labels. */
type Reading = number | Iterable<Sample>

const samplesOf = (reading: Reading): Iterable<Sample> => (typeof reading === 'number' ? [[{}, reading]] : reading)

/** A registry of metrics that are counted elsewhere and read at each scrape. */
export const createScrapedMetrics = () => {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = prometheus()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'lyceum_' })
  const registers = [registry]
  return {
    registry,
    gauge: (name: string, help: string, labelNames: readonly string[], read: () => Reading | Promise<Reading>) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const samples = samplesOf(await read())
          this.reset()
          for (const [labels, value] of samples) this.set(labels, value)
        },
      }),
    counter: (name: string, help: string, labelNames: readonly string[], read: () => Iterable<Sample>) =>
      new Counter({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset()
          for (const [labels, value] of read()) this.inc(labels, value)
        },
      }),
  }
}

export type ScrapedMetrics = ReturnType<typeof createScrapedMetrics>
