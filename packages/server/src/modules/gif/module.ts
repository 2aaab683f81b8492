import { api } from '@lyceum/contract'
import { cached, defineCache, findCached } from '../../cache/index.ts'
import type { ReadRequest, Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Module } from '../../core/module.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { HOUR_S, isExempt } from '../../limits/budgets.ts'
import { gifSettings } from '../settings/index.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { GifPage } from './parse-response.ts'
import { requestGifs, type Search } from './provider.ts'

/** Searches repeat often, and providers limit requests strictly. */
const searches = defineCache<GifPage>({ name: 'gif-searches', maxEntries: 300, ttlMs: 3600_000 })

/** @throws rate_limit_exceeded if this hour's request budget is used up */
const countRequest = async ({ limiter, budgets, config }: Services): Promise<void> => {
  if (config.gifHourlyBudget === 0) return
  const { allowed, retryAfter } = await limiter.hit('gif:provider', config.gifHourlyBudget, HOUR_S)
  if (allowed) return
  budgets.refused('gif_provider')
  const message = 'You have used all GIF searches of this hour.'
  throw new ApiError('rate_limit_exceeded', { message, data: { retry_after: Math.max(1, retryAfter) } })
}

/** Counts an uncached search against the member's limit. @throws rate_limit_exceeded */
const countSearch = async ({ actor, services: { budgets }, snapshot }: ReadRequest): Promise<void> => {
  if (!budgets.on || isExempt(actor)) return
  const { gif_searches_per_hour: limit } = await budgets.read(snapshot)
  await budgets.spend([{ kind: 'gif_searches', key: actor.id, limit, windowS: HOUR_S }])
}

const isFailure = (error: unknown) => !(error instanceof ApiError) || error.code === 'service_unavailable'

/**
 * Searches through the cache. Concurrent identical searches share one request; failures are not cached.
 * @throws invalid_api_key, rate_limit_exceeded, service_unavailable
 */
const searchGifs = async (ctx: ReadRequest, apiKey: string, search: Search): Promise<GifPage> => {
  const { services } = ctx
  const breaker = services.stateOf(createCircuitBreaker)
  const now = () => services.clock.now().getTime()
  const key = JSON.stringify([search.q.toLowerCase(), search.limit, search.offset, search.rating, search.lang])

  const fetchPage = async (): Promise<GifPage> => {
    const wait = breaker.enter(now())
    if (wait > 0) throw new ApiError('service_unavailable', { data: { retry_after: Math.ceil(wait / 1000) } })
    try {
      await countRequest(services)
      const page = await requestGifs(services, apiKey, search)
      breaker.succeeded()
      return page
    } catch (error) {
      if (isFailure(error)) breaker.failed(now())
      else breaker.succeeded()
      throw error
    }
  }

  const known = findCached(ctx, searches, key)
  if (known) return known
  await countSearch(ctx)
  return cached(ctx, searches, key, fetchPage)
}

const handlers: Handlers<typeof api.gif> = {
  search: async (ctx, { query }) => {
    const { db, services } = ctx
    const q = (query.q ?? '').replace(/\s+/g, ' ').trim()
    if (q === '') throw new ApiError('missing_query', { data: { field: 'q' } })
    const { enabled, apiKey, rating, language } = await gifSettings(db, services)
    if (!enabled || services.config.gifApiUrl === '') throw new ApiError('gif_disabled')
    if (apiKey === '') throw new ApiError('invalid_api_key')
    const { limit = 25, offset = 0 } = query
    return searchGifs(ctx, apiKey, { q, limit, offset, rating: query.rating ?? rating, lang: query.lang ?? language })
  },
}

export const gif: Module = { name: 'gif', mount: (mount) => mount('gif', api.gif, handlers) }
