import { cached, defineCache } from '../../../cache/index.ts'
import type { ReadRequest, Services } from '../../../core/context.ts'
import { tooMany } from '../../../core/errors.ts'
import { BusyError, createSemaphore } from '../../../util/semaphore.ts'
import { fetchPreview, type LinkPreview } from './fetch.ts'

const MAX_PER_MINUTE = 30
/** Concurrent previews, limited so that slow pages cannot delay push messages and webhooks. */
const MAX_CONCURRENT = 16
const MAX_QUEUED = 256
const WAIT_MS = 4000
const RETRY_S = 5
/** TTL of missing previews in milliseconds: the failure may be temporary. */
const MISS_TTL_MS = 60_000

const previews = defineCache<{ readonly preview: LinkPreview | null }>({ name: 'link-previews', maxEntries: 500, ttlMs: 600_000 })

const createSlots = () => createSemaphore({ concurrent: MAX_CONCURRENT, waitingPerKey: MAX_QUEUED, maxWaitMs: WAIT_MS })

/** @throws rate_limit_exceeded if the queue is full or slow */
const fetchQueued = ({ outbound, stateOf }: Services, url: URL): Promise<LinkPreview | null> =>
  stateOf(createSlots)
    .run(undefined, () => fetchPreview(outbound, url))
    .catch((error) => {
      throw error instanceof BusyError ? tooMany(RETRY_S) : error
    })

const checkRate = async ({ actor, services: { config, limiter } }: ReadRequest) => {
  if (config.rateLimit === 'off' || actor.role === 'admin') return
  const { allowed, retryAfter } = await limiter.hit(`preview:${actor.id}`, MAX_PER_MINUTE, 60)
  if (!allowed) throw tooMany(retryAfter)
}

/** The preview of an address; null if there is none or it may not be fetched. Concurrent requests for one address share a single fetch. */
export const previewOf = async (ctx: ReadRequest, address: string): Promise<LinkPreview | null> => {
  await checkRate(ctx)
  const url = new URL(address)
  url.hash = ''
  const { preview } = await cached(ctx, previews, url.href, async (track) => {
    const found = await fetchQueued(ctx.services, url)
    if (!found) track.ttl(MISS_TTL_MS)
    return { preview: found }
  })
  return preview
}
