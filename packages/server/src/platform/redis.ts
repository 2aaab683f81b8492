import { Redis } from 'ioredis'
import type { Log } from './log.ts'

/** A connection to Redis, or null when none is configured. Nothing is lost while it is away: callers fall back. */
export const connectRedis = (url: string, log: Log): Redis | null => {
  if (!url) return null
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    retryStrategy: (tries) => Math.min(2000, tries * 100),
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
