import { api } from '@lyceum/contract'
import { ApiError } from '../../core/errors.ts'
import type { Module } from '../../core/module.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { gifSettings } from '../settings/index.ts'
import { searchGifs } from './search.ts'

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
