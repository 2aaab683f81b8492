import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './postgres-faults.ts'
import { manage } from './rights.ts'
import type { Server, Stage } from './stage.ts'
import { type StreamClient, untilDelivered } from './streams.ts'
import { becomes, pageOf, readinessOf, untilRead, untilWritten } from './watch.ts'

/** Maximum recovery time, on a possibly busy machine. */
const BACK_AT_LAST_MS = 8000
export const DELIVERED_WITHIN_MS = 5000
/** Timeout of health checks. */
const HEALTH_WITHIN_MS = 3000
/** Maximum log output of both instances: some stack traces per fault, and repeated messages. */
const MOST_LOG_BYTES = 64 * 1024
const MOST_LOG_BYTES_S = 16 * 1024

/** The outcome of one fault; times in ms, of the slower instance. */
export interface Outcome {
  readonly fault: string
  readonly wrong: readonly string[]
  /** Until reads and writes succeeded again. */
  readonly back: number
  readonly written: number
  /** Until all streams had the events of that time. */
  readonly deliveredMs: number
  /** Bytes of log per second. */
  readonly rate: number
}

const bytesSaid = (servers: readonly Server[]) => servers.reduce((sum, { victim }) => sum + victim.output().length, 0)

/** Problems of an instance's health report during a fault. */
const healthDuring = async (server: Server, takes: Fault['takes']): Promise<string[]> => {
  const [live, ready, figures] = await Promise.all(['/health/live', '/health/ready', '/metrics'].map((path) => pageOf(server, path)))
  if (!live || !ready || !figures) return ['no pages']
  const expected = takes === 'everything' ? '503 ' : '200 read_only'
  const found = `${ready.status} ${readinessOf(ready)}`
  const wrong: string[] = []
  if (live.status !== 200 || live.ms > HEALTH_WITHIN_MS / 2) wrong.push(`live says ${live.status} after ${Math.round(live.ms)} ms`)
  if (found !== expected || ready.ms > HEALTH_WITHIN_MS) wrong.push(`ready says ${found} after ${Math.round(ready.ms)} ms`)
  if (!figures.text.includes('lyceum_streams') || figures.ms > HEALTH_WITHIN_MS)
    wrong.push(`figures: ${figures.status} after ${Math.round(figures.ms)} ms`)
  return wrong
}

/** Triggers one fault, and reports problems and recovery times. */
export const runFault = async (stage: Stage, ears: readonly StreamClient[], fault: Fault): Promise<Outcome> => {
  const { servers } = stage
  const begun = performance.now()
  const said = bytesSaid(servers)
  await fault.begin()
  const over = pause(fault.lasts)
  // An instance only notices that it cannot write by trying to.
  const isRefused = async ({ admin }: Server) => (await admin.call('POST', '/feeds', { message: 'Refused' })).status === 503
  if (fault.takes === 'writes') await Promise.all(servers.map((one) => becomes(() => isRefused(one), BACK_AT_LAST_MS)))
  const wrong = fault.takes === 'nothing' ? [] : (await Promise.all(servers.map((one) => healthDuring(one, fault.takes)))).flat()
  await over
  await fault.end()
  const [reads, writes] = await Promise.all([
    Promise.all(servers.map((one) => untilRead(one, BACK_AT_LAST_MS))),
    Promise.all(servers.map((one) => untilWritten(one, BACK_AT_LAST_MS + fault.settles))),
  ])
  if ([...reads, ...writes].includes(null)) wrong.push(`not back in time: reads ${reads}, writes ${writes}`)
  const isReady = async (one: Server) => readinessOf(await pageOf(one, '/health/ready')) === 'ok'
  if (!(await becomes(async () => (await Promise.all(servers.map(isReady))).every(Boolean), BACK_AT_LAST_MS))) wrong.push('not ready again')
  const { id } = await manage(stage, 'POST', '/feeds', { message: 'Can you hear me?' })
  const told = await untilDelivered(ears, id, DELIVERED_WITHIN_MS)
  if (told === null) wrong.push('not everybody who listens was told')
  const seconds = (performance.now() - begun) / 1000
  const rate = Math.round((bytesSaid(servers) - said) / seconds)
  if (rate * seconds > MOST_LOG_BYTES + MOST_LOG_BYTES_S * seconds) wrong.push(`${rate} bytes of log a second`)
  for (const { victim } of servers) if (!victim.running) wrong.push(`an instance has ended: ${victim.output().slice(-2000)}`)
  return {
    fault: fault.name,
    wrong,
    back: Math.max(...reads.map(Number)),
    written: Math.max(...writes.map(Number)),
    deliveredMs: Number(told),
    rate,
  }
}

/** Whether each instance listens and holds its data lock again, in new database sessions. */
export const hasSessions = async (stage: Stage, since: string): Promise<boolean> => {
  const { rows } = await stage.sql(
    `select application_name as name, count(*)::int as n from pg_stat_activity
     where application_name in ('lyceum listener', 'lyceum hold') and backend_start > '${since}' group by 1`,
  )
  return rows.length === 2 && rows.every(({ n }) => n === stage.servers.length)
}

/** Pending events, due jobs that were not tried, and dead-lettered ones: there must be none after recovery. */
export const jobsLeft = async (stage: Stage): Promise<readonly object[]> => {
  const due = `attempts = 0 and run_at < to_char(now() at time zone 'utc' - interval '1 second', 'YYYY-MM-DD HH24:MI:SS')`
  const columns = 'name, status, outgoing, attempts, run_at, last_error'
  const jobs = (await stage.sql(`select ${columns} from jobs where status = 'parked' or ${due} limit 5`)).rows
  return [...jobs, ...(await stage.sql('select event_id from pending_events limit 5')).rows]
}
