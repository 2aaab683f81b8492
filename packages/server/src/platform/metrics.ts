import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Services } from './context.ts'

/** Prometheus figures of this process: requests by route, jobs waiting, and what Node tells of itself. */
export const createMetrics = ({ database, realtime }: Services) => {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'lyceum_' })
  const seconds = new Histogram({
    name: 'lyceum_http_request_seconds',
    help: 'Time from request to answer',
    labelNames: ['route', 'method'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [register],
  })
  const requests = new Counter({
    name: 'lyceum_http_requests_total',
    help: 'Answers by status',
    labelNames: ['status'],
    registers: [register],
  })
  new Gauge({
    name: 'lyceum_jobs',
    help: 'Jobs by state',
    labelNames: ['state'],
    registers: [register],
    async collect() {
      const { rows } = await sql<{ status: string; n: number }>`select status, count(*) as n from jobs group by status`.execute(
        database.read,
      )
      this.reset()
      for (const { status, n } of rows) this.set({ state: status }, Number(n))
    },
  })
  new Gauge({
    name: 'lyceum_streams',
    help: 'Open streams of events',
    registers: [register],
    collect() {
      this.set(realtime.streams())
    },
  })
  return {
    observe: (route: string, method: string, status: number, duration: number) => {
      seconds.observe({ route, method }, duration)
      requests.inc({ status })
    },
    contentType: register.contentType,
    text: () => register.metrics(),
    dispose: () => register.clear(),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
