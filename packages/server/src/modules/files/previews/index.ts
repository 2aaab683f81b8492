import { tooMany } from '../../../platform/auth/tries.ts'
import type { AskedRead, Services } from '../../../platform/context.ts'
import { fetchPreview, type LinkPreview } from './fetch.ts'

const ASKED_A_MINUTE = 30
const MOST_KEPT = 500
/** How long an answer is good, in milliseconds: shorter where nothing was found, for that may pass. */
const KEPT_MS = 600_000
const KEPT_NOTHING_MS = 60_000

interface Kept {
  readonly preview: Promise<LinkPreview | null>
  until: number
}

const kept = new WeakMap<Services, Map<string, Kept>>()

const cacheOf = (services: Services): Map<string, Kept> => {
  const found = kept.get(services)
  if (found) return found
  const made = new Map<string, Kept>()
  kept.set(services, made)
  return made
}

const checkPace = async ({ actor, services: { config, limiter } }: AskedRead) => {
  if (config.rateLimit === 'off' || actor.role === 'admin') return
  const { allowed, retryAfter } = await limiter.hit(`preview:${actor.id}`, ASKED_A_MINUTE, 60)
  if (!allowed) throw tooMany(retryAfter)
}

/** What an address leads to; null: nothing, or nothing that may be looked at. Who asks for the same at the same time shares one request. */
export const previewOf = async (ctx: AskedRead, address: string): Promise<LinkPreview | null> => {
  await checkPace(ctx)
  const { services } = ctx
  const cache = cacheOf(services)
  const url = new URL(address)
  url.hash = ''
  const now = () => services.clock.now().getTime()
  const known = cache.get(url.href)
  if (known && known.until > now()) return known.preview
  const entry: Kept = { preview: fetchPreview(services.outbound, url), until: now() + KEPT_MS }
  cache.delete(url.href)
  cache.set(url.href, entry)
  for (const oldest of cache.keys()) {
    if (cache.size <= MOST_KEPT) break
    cache.delete(oldest)
  }
  const preview = await entry.preview
  if (!preview) entry.until = now() + KEPT_NOTHING_MS
  return preview
}
