import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Database } from '../../db/index.ts'
import type { Log } from '../log.ts'
import { connectRedis } from '../redis.ts'

const CHANNEL = 'lyceum:events'
/** Other processes are told at most once in this time, however much is written. */
const GAP_MS = 25

export interface Wakeups {
  /** Tells the other processes that there is something to look at. Costs the write nothing: it is said afterwards, and once for many. */
  say(): void
  /** From now on `heard` is called when another process says so. */
  listen(heard: () => void): void
  close(): Promise<void>
}

/**
 * Carries nothing but “look now” between processes: through Redis where there is one, else through the database where that can. Whoever
 * listens looks now and then by himself as well, so that nothing depends on it but speed.
 */
export const createWakeups = (database: Database, log: Log, redisUrl: string, redis: Redis | null): Wakeups => {
  const self = randomUUID()
  let subscriber: Redis | null = null
  let stopListening: (() => Promise<void>) | null = null
  let saying = false
  let again = false
  let closed = false

  const send = async () => {
    if (redis?.status === 'ready') await redis.publish(CHANNEL, self)
    else await database.signal()
  }

  const say = () => {
    if (closed) return
    again = saying
    if (saying) return
    saying = true
    send()
      .catch(() => {})
      .finally(() => {
        const rest = setTimeout(() => {
          saying = false
          if (again) say()
        }, GAP_MS)
        rest.unref()
      })
  }

  return {
    say,
    listen: (heard) => {
      if (stopListening || closed) return
      stopListening = database.onSignal(heard)
      subscriber = connectRedis(redisUrl, log)
      subscriber?.on('ready', () => void subscriber?.subscribe(CHANNEL).then(heard, () => {}))
      subscriber?.on('message', (_channel, from) => {
        if (from !== self) heard()
      })
    },
    close: async () => {
      closed = true
      subscriber?.disconnect()
      await stopListening?.()
    },
  }
}
