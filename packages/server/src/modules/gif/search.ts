import type { Actor, Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { HOUR_S, isExempt } from '../../limits/budgets.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { GifPage } from './parse-response.ts'
import { requestGifs, type Search } from './provider.ts'

/** TTL of cached searches: they repeat often, and providers limit requests strictly. */
const TTL_MS = 3600_000
const MAX_ENTRIES = 300

interface CacheEntry {
  readonly page: GifPage
  readonly until: number
}

/** Per-process state. */
const createState = () => ({
  cache: new Map<string, CacheEntry>(),
  pending: new Map<string, Promise<GifPage>>(),
  breaker: createCircuitBreaker(),
})

const states = new WeakMap<Services['database'], ReturnType<typeof createState>>()
const stateOf = (services: Services) => {
  const state = states.get(services.database) ?? createState()
  states.set(services.database, state)
  return state
}

const refuse = (message: string, retryAfter: number): never => {
  throw new ApiError('rate_limit_exceeded', { message, data: { retry_after: Math.max(1, retryAfter) } })
}

/** @throws rate_limit_exceeded if this hour's request budget is used up */
const countRequest = async ({ limiter, budgets, config }: Services): Promise<void> => {
  if (config.gifHourlyBudget === 0) return
  const { allowed, retryAfter } = await limiter.hit('gif:provider', config.gifHourlyBudget, HOUR_S)
  if (allowed) return
  budgets.refused('gif_provider')
  refuse('You have used all GIF searches of this hour.', retryAfter)
}

/** Counts an uncached search against the member's limit. @throws rate_limit_exceeded */
const countSearch = async ({ budgets, caches }: Services, actor: Actor): Promise<void> => {
  if (!budgets.on || isExempt(actor)) return
  const { gif_searches_per_hour: limit } = await budgets.read(caches.revision())
  await budgets.spend([{ kind: 'gif_searches', key: actor.id, limit, windowS: HOUR_S }])
}

const isFailure = (error: unknown) => !(error instanceof ApiError) || error.code === 'service_unavailable'

/**
 * Searches through the cache. Concurrent identical searches share one request; failures are not cached.
 * @throws invalid_api_key, rate_limit_exceeded, service_unavailable
 */
export const searchGifs = async (services: Services, actor: Actor, apiKey: string, search: Search): Promise<GifPage> => {
  const { cache, pending, breaker } = stateOf(services)
  const now = () => services.clock.now().getTime()
  const key = JSON.stringify([search.q.toLowerCase(), search.limit, search.offset, search.rating, search.lang])

  const fetchPage = async (): Promise<GifPage> => {
    const wait = breaker.enter(now())
    if (wait > 0) throw new ApiError('service_unavailable', { data: { retry_after: Math.ceil(wait / 1000) } })
    try {
      await countRequest(services)
      const page = await requestGifs(services, apiKey, search)
      breaker.succeeded()
      cache.delete(key)
      cache.set(key, { page, until: now() + TTL_MS })
      for (const oldest of cache.keys()) {
        if (cache.size <= MAX_ENTRIES) break
        cache.delete(oldest)
      }
      return page
    } catch (error) {
      if (isFailure(error)) breaker.failed(now())
      else breaker.succeeded()
      throw error
    }
  }

  const cached = cache.get(key)
  if (cached && cached.until > now()) return cached.page
  if (!pending.has(key)) await countSearch(services, actor)
  const present = pending.get(key)
  if (present) return present
  const request = fetchPage().finally(() => pending.delete(key))
  pending.set(key, request)
  return request
}
