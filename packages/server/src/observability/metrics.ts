import { lazy } from '@lyceum/content/lazy'
import { cacheMetrics } from '../cache/metrics.ts'
import { nowOf } from '../core/clock.ts'
import type { Services } from '../core/context.ts'
import { statement, statementNumber } from '../db/index.ts'
import { compressionSlots } from '../http/responses/compression.ts'
import type { Unsent } from '../http/responses/unsent-bytes.ts'
import { imageSlots } from '../images/index.ts'
import { limitMetrics } from '../limits/metrics.ts'
import { withTimeout } from '../util/with-timeout.ts'
import { createScrapedMetrics } from './scraped-metrics.ts'

const FIGURE_WITHIN_MS = 2000

/** What is due has to be told from what waits for its time, such as a mail that follows a notification after minutes. */
const jobsByState = statement<{ state: 'ready' | 'scheduled' | 'parked'; n: number }>(
  `select j.state, count(*) as n from (select case when status = 'ready' and run_at > $1 then 'scheduled' else status end as state from jobs
     union all select 'ready' from pending_events) j group by j.state`,
)

/** The time of the oldest due job or pending event; null if there is none. */
const oldestDue = statement<{ at: string | null }>(
  `select min(d.at) as at from (select min(run_at) as at from jobs where status = 'ready' and run_at <= $1
     union all select min(e.created_at) from pending_events p join events e on e.id = p.event_id) d`,
)
const countMembers = statementNumber(`select count(*) as n from users where status = 'active'`)
const webhooksByState = statement<{ state: string; n: number }>(
  `select w.state, count(*) as n from (select case when status = 'active' and failing_since is not null then 'failing' else status end as state
     from webhooks) w group by w.state`,
)

const backupFigures = statement<Record<'created' | 'proven', string | null> & { size: number | null; failures: number | null }>(
  `select max(case when status = 'complete' then created_at end) as created, max(proven_at) as proven, max(failures) as failures,
     (select size from backups where status = 'complete' order by created_at desc, id desc limit 1) as size from backups`,
)
const epoch = (time: string | null | undefined) => (time ? Date.parse(`${time.replace(' ', 'T')}Z`) / 1000 : 0)

const backupMetrics = ({ gauge, counter }: ReturnType<typeof createScrapedMetrics>, { database }: Services) => {
  const read = async () => (await withTimeout(backupFigures(database.read, []), FIGURE_WITHIN_MS, []).catch(() => []))[0]
  gauge('lyceum_backup_timestamp_seconds', 'Time of the newest backup; 0: none', [], async () => epoch((await read())?.created))
  gauge('lyceum_backup_proven_timestamp_seconds', 'When a backup was last proven; 0: never', [], async () => epoch((await read())?.proven))
  gauge('lyceum_backup_size_bytes', 'Size of the newest backup', [], async () => Number((await read())?.size ?? 0))
  counter('lyceum_backup_failures_total', 'Failed backups and proofs', [], async () => Number((await read())?.failures ?? 0))
}

/** What Node tells of itself, and what is looked up when somebody asks. */
const createRegistry = (services: Services, unsent: Unsent) => {
  const { database, realtime, caches, clock, loop, mailer } = services
  const metrics = createScrapedMetrics()
  const { registry, gauge, counter } = metrics
  // While the database is away the other figures matter the most.
  const figure = <T>(asked: Promise<T>, absent: T) => withTimeout(asked, FIGURE_WITHIN_MS, absent).catch(() => absent)
  cacheMetrics(metrics, caches)
  limitMetrics(metrics, services)
  if (services.config.backupDir || services.config.backupS3Url) backupMetrics(metrics, services)
  gauge('lyceum_jobs', 'Jobs and pending events by state', ['state'], async () => {
    const rows = await figure(jobsByState(database.read, [nowOf(clock)]), [])
    return rows.map(({ state, n }) => [{ state }, Number(n)])
  })
  gauge('lyceum_job_age_seconds', 'Seconds for which the oldest due job or event has waited', [], async () => {
    const now = nowOf(clock)
    const [oldest] = await figure(oldestDue(database.read, [now]), [])
    return oldest?.at ? (Date.parse(`${now}Z`) - Date.parse(`${oldest.at}Z`)) / 1000 : 0
  })
  gauge('lyceum_members', 'Active accounts', [], () => figure<number | []>(countMembers(database.read), []))
  gauge('lyceum_webhooks', 'Webhooks by state', ['state'], async () =>
    (await figure(webhooksByState(database.read), [])).map(({ state, n }) => [{ state }, Number(n)]),
  )
  counter('lyceum_mails_total', 'Mails by outcome', ['outcome'], () =>
    Object.entries(mailer.counts).map(([outcome, count]) => [{ outcome }, count]),
  )
  counter(
    'lyceum_event_loop_blocked_seconds_total',
    'Time during which the event loop was blocked for more than 200 ms, by running operations and jobs',
    ['operation'],
    () => [...loop.blockedSeconds()].map(([operation, blocked]) => [{ operation }, blocked]),
  )
  gauge('lyceum_streams', 'Open event streams', [], realtime.streams)
  gauge('lyceum_database_refuses_writes', '1 while the database is read-only because the disk is full or has failed', [], () =>
    database.lastWriteFailure() ? 1 : 0,
  )
  gauge('lyceum_unsent_bytes', 'Bytes of responses that clients have not received yet', [], () => unsent.figures().bytes)
  counter(
    'lyceum_unsent_limited_total',
    'Connections of slow clients that were closed, and requests that were rejected, because of too many unsent bytes',
    ['action'],
    () => {
      const { cut, refused } = unsent.figures()
      return [
        [{ action: 'cut' }, cut],
        [{ action: 'refused' }, refused],
      ]
    },
  )
  gauge(
    'lyceum_thread_pool_tasks',
    'Running and queued tasks with a limit of their own in the thread pool, by kind',
    ['kind', 'state'],
    () => {
      const kinds = { hashing: services.passwords.slots(), image: imageSlots(), compression: compressionSlots() }
      return Object.entries(kinds).flatMap(([kind, { used, waiting }]) => [
        [{ kind, state: 'running' }, used],
        [{ kind, state: 'waiting' }, waiting],
      ])
    },
  )
  const load = database.poolStats()
  if (!load) return registry
  gauge('lyceum_database_connections', 'Connections to PostgreSQL, and requests waiting for one', ['state'], () => {
    const { open, idle, waiting } = database.poolStats()?.connections ?? load.connections
    return [
      [{ state: 'used' }, open - idle],
      [{ state: 'idle' }, idle],
      [{ state: 'waiting' }, waiting],
    ]
  })
  counter('lyceum_database_reads_total', 'Reads by the PostgreSQL server that answered them', ['server'], () =>
    Object.entries(database.poolStats()?.reads ?? load.reads).map(([server, count]) => [{ server }, count]),
  )
  return registry
}

/** Prometheus figures of this process: requests by route and, from when they are first asked for, of Node and what is kept. */
export const createMetrics = (services: Services, unsent: Unsent) => {
  const register = lazy(() => createRegistry(services, unsent))
  const requests = createRequestMetrics()
  return {
    observe: requests.observe,
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    text: async () => `${await register().metrics()}\n${requests.text()}`,
    dispose: () => {
      if (register.isLoaded) register().clear()
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

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
const createRequestMetrics = () => {
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
