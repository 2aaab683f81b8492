import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { scratchFolder, startPrivateServer } from '#test/services/private-server.ts'
import { findRedis } from '#test/services/programs.ts'

/** A disposable Redis that tests can break. It listens on a Unix socket. */
export interface FrailRedis {
  readonly path: string
  ask<T>(work: (redis: Redis) => Promise<T>): Promise<T>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Restarts with the saved data; resolves once Redis responds. `further`: additional configuration lines. */
  start(further?: readonly string[]): Promise<void>
  stop(): Promise<void>
}

const isThere = (pid: number) => existsSync(`/proc/${pid}/stat`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

export const startFrailRedis = async (): Promise<FrailRedis> => {
  const program = findRedis()
  if (!program) throw new Error('Redis was not found')
  const folder = scratchFolder('frail-redis')
  const path = join(folder, 'socket')
  const pidFile = join(folder, 'pid')
  const settings = ['port 0', `unixsocket ${path}`, `pidfile ${pidFile}`, 'save ""', 'appendonly no', `dir ${folder}`]
  const stops: (() => Promise<void>)[] = []
  const pid = () => Number(readFileSync(pidFile, 'utf8'))

  const start = async (further: readonly string[] = []) => {
    const file = join(folder, 'redis.conf')
    writeFileSync(file, `${[...settings, ...further].join('\n')}\n`)
    stops.push(await startPrivateServer({ command: [program, file], folder, stopSignal: 'KILL', ready: /ready to accept connections/i }))
  }
  await start()
  return {
    path,
    ask: async (work) => {
      const redis = new Redis({ path, retryStrategy: () => null })
      redis.on('error', () => {})
      try {
        return await work(redis)
      } finally {
        redis.disconnect()
      }
    },
    signal: (name) => void process.kill(pid(), name),
    kill: async () => {
      const killed = pid()
      process.kill(killed, 'SIGKILL')
      while (isThere(killed)) await pause(5)
    },
    start,
    stop: async () => {
      // A stopped process does not receive SIGTERM until it continues.
      if (isThere(pid())) process.kill(pid(), 'SIGCONT')
      await Promise.all(stops.map((end) => end()))
    },
  }
}
