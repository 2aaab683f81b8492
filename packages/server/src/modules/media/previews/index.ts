import type { ReadRequest, Services } from '../../../core/context.ts'
import { tooMany } from '../../../core/errors.ts'
import { createSemaphore, type Semaphore } from '../../../util/semaphore.ts'
import { fetchPreview, type LinkPreview } from './fetch.ts'

const MAX_PER_MINUTE = 30
/** Concurrent previews, limited so that slow pages cannot delay push messages and webhooks. */
const MAX_CONCURRENT = 16
const MAX_QUEUED = 256
const WAIT_MS = 4000
const RETRY_S = 5
const MAX_ENTRIES = 500
/** TTL in milliseconds; shorter for failures, which may be temporary. */
const RETENTION_MS = 600_000
const MISS_RETENTION_MS = 60_000

interface CacheEntry {
  readonly preview: Promise<LinkPreview | null>
  until: number
}

interface PreviewState {
  readonly cache: Map<string, CacheEntry>
  readonly slots: Semaphore<undefined>
}

const known = new WeakMap<Services['database'], PreviewState>()

const stateOf = (services: Services): PreviewState => {
  const state = known.get(services.database) ?? {
    cache: new Map(),
    slots: createSemaphore({ concurrent: MAX_CONCURRENT, waitingPerKey: MAX_QUEUED }),
  }
  known.set(services.database, state)
  return state
}

/** @throws rate_limit_exceeded if the queue is full */
const fetchQueued = async ({ outbound }: Services, { slots }: PreviewState, url: URL): Promise<LinkPreview | null> => {
  const leave = await slots.acquire(undefined, AbortSignal.timeout(WAIT_MS)).catch(() => {
    throw tooMany(RETRY_S)
  })
  return fetchPreview(outbound, url).finally(leave)
}

const checkRate = async ({ actor, services: { config, limiter } }: ReadRequest) => {
  if (config.rateLimit === 'off' || actor.role === 'admin') return
  const { allowed, retryAfter } = await limiter.hit(`preview:${actor.id}`, MAX_PER_MINUTE, 60)
  if (!allowed) throw tooMany(retryAfter)
}

/** The preview of an address; null if there is none or it may not be fetched. Concurrent requests for one address share a single fetch. */
export const previewOf = async (ctx: ReadRequest, address: string): Promise<LinkPreview | null> => {
  await checkRate(ctx)
  const { services } = ctx
  const state = stateOf(services)
  const { cache } = state
  const url = new URL(address)
  url.hash = ''
  const now = () => services.clock.now().getTime()
  const before = cache.get(url.href)
  if (before && before.until > now()) return before.preview
  const entry: CacheEntry = { preview: fetchQueued(services, state, url), until: now() + RETENTION_MS }
  cache.delete(url.href)
  cache.set(url.href, entry)
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_ENTRIES) break
    cache.delete(oldest)
  }
  // Errors are not cached.
  entry.preview.catch(() => cache.get(url.href) === entry && cache.delete(url.href))
  const preview = await entry.preview
  if (!preview) entry.until = now() + MISS_RETENTION_MS
  return preview
}
