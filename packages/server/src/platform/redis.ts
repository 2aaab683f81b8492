import type { Redis, RedisOptions } from 'ioredis'
import { library } from './library.ts'
import type { Log } from './log.ts'

const ioredis = library<typeof import('ioredis')>('ioredis')

/** A connection to Redis, or null when none is configured. Nothing is lost while it is away: callers fall back. */
export const connectRedis = (url: string, log: Log, options: RedisOptions = {}): Redis | null => {
  if (!url) return null
  const redis = new (ioredis().Redis)(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    retryStrategy: (tries) => Math.min(2000, tries * 100),
    ...options,
  })
  let away = false
  redis.on('error', (error) => {
    if (!away) log.warn({ err: error }, 'Redis is away')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('Redis is back')
    away = false
  })
  return redis
}
