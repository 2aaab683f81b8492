import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Series } from './flat.ts'
import { onSqlite, type Stage } from './stage.ts'

const MIB = 2 ** 20

const status = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Resident memory in MiB. */
export const memoryOf = (pid: number): number => status(pid, 'VmRSS') / 1024

export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/**
 * Remote ports of the connections that the server on that port has open. Connections that it closed, but that the kernel keeps to deliver
 * remaining data, belong to no file descriptor.
 */
export const connectedTo = (port: number): Set<number> => {
  const portOf = (address = '') => Number.parseInt(address.slice(-4), 16)
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return new Set(rows.filter(([, here, , , , , , , , file]) => portOf(here) === port && file !== '0').map(([, , there]) => portOf(there)))
}

/** Size of the write-ahead log, in MiB. */
const logOf = async ({ env, dataDir }: Stage): Promise<{ size: () => Promise<number>; close: () => Promise<void> }> => {
  const file = join(dataDir, 'lyceum.db-wal')
  if (onSqlite) return { size: async () => statSync(file).size / MIB, close: async () => {} }
  const client = new pg.Client({ connectionString: env['LYCEUM_DATABASE_URL'] })
  await client.connect()
  const size = async () => Number((await client.query('select sum(size) as n from pg_ls_waldir()')).rows[0]?.n) / MIB
  return { size, close: () => client.end() }
}

const gauge = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)

/** Samples the server until stopped: memory, queue lengths and event loop delay. */
export const watch = async (stage: Stage, everyMs: number): Promise<{ stop: () => Promise<Series> }> => {
  const { pid } = stage.server
  const series: Record<string, number[]> = {}
  const note = (name: string, value: number) => {
    series[name] = [...(series[name] ?? []), value]
  }
  const log = await logOf(stage)
  const look = async () => {
    note('memory', memoryOf(pid))
    note('descriptors', descriptorsOf(pid))
    note('threads', status(pid, 'Threads'))
    note('log', await log.size())
    const text = await (await fetch(`${stage.crowd.origin}/metrics`)).text()
    note('jobs', gauge(text, 'lyceum_jobs\\{state="ready"\\}'))
    note('lag', gauge(text, 'lyceum_nodejs_eventloop_lag_p99_seconds') * 1000)
  }
  let looking: Promise<void> | null = null
  let failure: unknown
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error) => {
        failure ??= error
      })
      .finally(() => {
        looking = null
      })
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
      await log.close()
      if (failure) throw failure
      return series
    },
  }
}
