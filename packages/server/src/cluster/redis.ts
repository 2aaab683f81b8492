import type { Redis, RedisOptions } from 'ioredis'
import type { Log } from '../observability/log.ts'
import { lazyRequire } from '../util/lazy.ts'

const ioredis = lazyRequire<typeof import('ioredis')>('ioredis')

/** If Redis does not respond within this time, it is considered unavailable although the connection is open. */
const ANSWER_WITHIN_MS = 1500
const LONGEST_RETRY_MS = 300

/** A connection to Redis, or null if none is configured. Callers fall back to other means while Redis is unavailable. */
export const connectRedis = (url: string, log: Log, options: RedisOptions = {}): Redis | null => {
  if (!url) return null
  const redis = new (ioredis().Redis)(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    socketTimeout: ANSWER_WITHIN_MS,
    retryStrategy: (tries) => Math.min(LONGEST_RETRY_MS, tries * 100),
    ...options,
  })
  let away = false
  redis.on('error', (error) => {
    if (!away) log.warn({ event: 'redis_unavailable', err: error }, 'Redis unavailable')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info({ event: 'redis_available' }, 'Redis available again')
    away = false
  })
  return redis
}
