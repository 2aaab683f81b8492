import type { ReadRequest, Services } from '../../../core/context.ts'
import { tooMany } from '../../../core/errors.ts'
import { createPlaces } from '../../../outbound/index.ts'
import { fetchPreview, type LinkPreview } from './fetch.ts'

const ASKED_A_MINUTE = 30
/** Previews that are looked up at once: slow pages must not keep push messages and webhooks from going out. */
const AT_ONCE = 16
const MOST_WAITING = 256
const WAIT_MS = 4000
const RETRY_S = 5
const MAX_ENTRIES = 500
/** How long an answer is good, in milliseconds: shorter where nothing was found, for that may pass. */
const RETENTION_MS = 600_000
const KEPT_NOTHING_MS = 60_000

interface CacheEntry {
  readonly preview: Promise<LinkPreview | null>
  until: number
}

interface Asking {
  readonly cache: Map<string, CacheEntry>
  readonly places: ReturnType<typeof createPlaces>
}

const known = new WeakMap<Services['database'], Asking>()

const askingOf = (services: Services): Asking => {
  const asking = known.get(services.database) ?? { cache: new Map(), places: createPlaces(AT_ONCE, MOST_WAITING) }
  known.set(services.database, asking)
  return asking
}

/** @throws rate_limit_exceeded where too many are on their way */
const fetchInTurn = async ({ outbound }: Services, { places }: Asking, url: URL): Promise<LinkPreview | null> => {
  const leave = await places.enter(AbortSignal.timeout(WAIT_MS)).catch(() => {
    throw tooMany(RETRY_S)
  })
  return fetchPreview(outbound, url).finally(leave)
}

const checkPace = async ({ actor, services: { config, limiter } }: ReadRequest) => {
  if (config.rateLimit === 'off' || actor.role === 'admin') return
  const { allowed, retryAfter } = await limiter.hit(`preview:${actor.id}`, ASKED_A_MINUTE, 60)
  if (!allowed) throw tooMany(retryAfter)
}

/** What an address leads to; null: nothing, or nothing that may be looked at. Who asks for the same at the same time shares one request. */
export const previewOf = async (ctx: ReadRequest, address: string): Promise<LinkPreview | null> => {
  await checkPace(ctx)
  const { services } = ctx
  const asking = askingOf(services)
  const { cache } = asking
  const url = new URL(address)
  url.hash = ''
  const now = () => services.clock.now().getTime()
  const before = cache.get(url.href)
  if (before && before.until > now()) return before.preview
  const entry: CacheEntry = { preview: fetchInTurn(services, asking, url), until: now() + RETENTION_MS }
  cache.delete(url.href)
  cache.set(url.href, entry)
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_ENTRIES) break
    cache.delete(oldest)
  }
  // What failed here is tried again by the next who asks.
  entry.preview.catch(() => cache.get(url.href) === entry && cache.delete(url.href))
  const preview = await entry.preview
  if (!preview) entry.until = now() + KEPT_NOTHING_MS
  return preview
}
