import type { Actor, Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { HOUR_S, isExempt } from '../../limits/budgets.ts'
import { createBreaker } from './circuit-breaker.ts'
import type { GifPage } from './parse-response.ts'
import { askProvider, type Search } from './provider.ts'

/** How long an answer is good for: searches repeat, and the provider's patience is small. */
const FRESH_MS = 3600_000
const MAX_ENTRIES = 300

interface CacheEntry {
  readonly page: GifPage
  readonly until: number
}

/** What one process remembers of searches. */
const createMemory = () => ({
  kept: new Map<string, CacheEntry>(),
  asking: new Map<string, Promise<GifPage>>(),
  breaker: createBreaker(),
})

const memories = new WeakMap<Services['database'], ReturnType<typeof createMemory>>()
const memoryOf = (services: Services) => {
  const memory = memories.get(services.database) ?? createMemory()
  memories.set(services.database, memory)
  return memory
}

const refuse = (message: string, retryAfter: number): never => {
  throw new ApiError('rate_limit_exceeded', { message, data: { retry_after: Math.max(1, retryAfter) } })
}

/** @throws rate_limit_exceeded once the requests of this hour are used up */
const countRequest = async ({ limiter, budgets, config }: Services): Promise<void> => {
  if (config.gifHourlyBudget === 0) return
  const { allowed, retryAfter } = await limiter.hit('gif:provider', config.gifHourlyBudget, HOUR_S)
  if (allowed) return
  budgets.refused('gif_provider')
  refuse('The searches for GIFs of this hour are used up.', retryAfter)
}

/** Counts a search that nobody has made lately against its member. @throws rate_limit_exceeded */
const countSearch = async ({ budgets, caches }: Services, actor: Actor): Promise<void> => {
  if (!budgets.on || isExempt(actor)) return
  const { gif_searches_per_hour: limit } = await budgets.read(caches.now())
  await budgets.spend([{ kind: 'gif_searches', key: actor.id, limit, windowS: HOUR_S }])
}

const isFailure = (error: unknown) => !(error instanceof ApiError) || error.code === 'service_unavailable'

/**
 * Searches, with what the provider answered lately first. Who asks the same while it is being asked gets the same answer; failures are
 * not remembered.
 * @throws invalid_api_key, rate_limit_exceeded, service_unavailable
 */
export const searchGifs = async (services: Services, actor: Actor, apiKey: string, search: Search): Promise<GifPage> => {
  const { kept, asking, breaker } = memoryOf(services)
  const now = () => services.clock.now().getTime()
  const key = JSON.stringify([search.q.toLowerCase(), search.limit, search.offset, search.rating, search.lang])

  const ask = async (): Promise<GifPage> => {
    const wait = breaker.enter(now())
    if (wait > 0) throw new ApiError('service_unavailable', { data: { retry_after: Math.ceil(wait / 1000) } })
    try {
      await countRequest(services)
      const page = await askProvider(services, apiKey, search)
      breaker.succeeded()
      kept.delete(key)
      kept.set(key, { page, until: now() + FRESH_MS })
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_ENTRIES) break
        kept.delete(oldest)
      }
      return page
    } catch (error) {
      if (isFailure(error)) breaker.failed(now())
      else breaker.succeeded()
      throw error
    }
  }

  const known = kept.get(key)
  if (known && known.until > now()) return known.page
  if (!asking.has(key)) await countSearch(services, actor)
  const present = asking.get(key)
  if (present) return present
  const asked = ask().finally(() => asking.delete(key))
  asking.set(key, asked)
  return asked
}
