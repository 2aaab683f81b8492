/** Upper bounds of the histogram buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

interface Times {
  /** Requests by the smallest bucket that fits; the last entry counts those above all buckets. */
  readonly counts: Float64Array
  sum: number
}

const SECONDS = 'lyceum_http_request_seconds'
const TOTAL = 'lyceum_http_requests_total'

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const linesOf = (route: string, method: string, { counts, sum }: Times): string[] => {
  const labels = `route="${escaped(route)}",method="${escaped(method)}"`
  let below = 0
  const buckets = [...BUCKETS.map(String), '+Inf'].map((end, i) => {
    below += counts[i] ?? 0
    return `${SECONDS}_bucket{le="${end}",${labels}} ${below}`
  })
  return [...buckets, `${SECONDS}_sum{${labels}} ${sum}`, `${SECONDS}_count{${labels}} ${below}`]
}

/**
 * Request metrics in the Prometheus text format. Every request is counted, so counting costs a few additions; the text is built at the
 * scrape.
 */
export const createRequestMetrics = () => {
  const byRoute = new Map<string, Map<string, Times>>()
  const byStatus = new Map<number, number>()

  const timesOf = (route: string, method: string): Times => {
    const methods = byRoute.get(route) ?? new Map<string, Times>()
    byRoute.set(route, methods)
    const times = methods.get(method) ?? { counts: new Float64Array(BUCKETS.length + 1), sum: 0 }
    methods.set(method, times)
    return times
  }

  return {
    observe: (route: string, method: string, status: number, seconds: number) => {
      const times = byRoute.get(route)?.get(method) ?? timesOf(route, method)
      let bucket = 0
      while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1
      times.counts[bucket] = (times.counts[bucket] ?? 0) + 1
      times.sum += seconds
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    },
    text: (): string =>
      [
        `# HELP ${SECONDS} Time from request to answer`,
        `# TYPE ${SECONDS} histogram`,
        ...[...byRoute].flatMap(([route, methods]) => [...methods].flatMap(([method, times]) => linesOf(route, method, times))),
        '',
        `# HELP ${TOTAL} Answers by status`,
        `# TYPE ${TOTAL} counter`,
        ...[...byStatus].map(([status, count]) => `${TOTAL}{status="${status}"} ${count}`),
        '',
      ].join('\n'),
  }
}
