import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { scratchFolder, startPrivateServer } from '#test/services/private-server.ts'
import { findRedis } from '#test/services/programs.ts'

/** A Redis of our own that is there to be ill. It listens on a socket in the file system. */
export interface FrailRedis {
  readonly path: string
  ask<T>(work: (redis: Redis) => Promise<T>): Promise<T>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** kill -9. */
  kill(): Promise<void>
  /** Starts again after that, with what it had saved; resolves once it answers. `further`: lines of its configuration. */
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
      // What is stopped would not hear that it is to end.
      if (isThere(pid())) process.kill(pid(), 'SIGCONT')
      await Promise.all(stops.map((end) => end()))
    },
  }
}
