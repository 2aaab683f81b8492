import type { Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { OutboundError } from '../../outbound/index.ts'
import { type GifPage, type GifQuery, parseResponse, readPage, statusIn } from './parse-response.ts'

/** A search may take three seconds; the remainder is for our own work. */
const TIMEOUT_MS = 2700
const MAX_RESPONSE_BYTES = 1024 * 1024
/** Retry delay in seconds if the provider names none. */
const DEFAULT_RETRY_S = 60
const MAX_RETRY_S = 24 * 3600

export interface Search extends GifQuery {
  readonly q: string
  readonly lang: string
}

const unavailable = () => new ApiError('service_unavailable', { message: 'The GIF search is not available now. Try again in a moment.' })

/** @throws invalid_api_key, rate_limit_exceeded, service_unavailable */
const checkStatus = (status: number, retryAfter: string): void => {
  // No challenge: a browser would ask the caller for credentials, but the server's API key is wrong.
  if (status === 401 || status === 403) throw new ApiError('invalid_api_key', { challenge: false })
  if (status === 429) {
    const wait = /^\d{1,6}$/.test(retryAfter) ? Math.min(MAX_RETRY_S, Math.max(1, Number(retryAfter))) : DEFAULT_RETRY_S
    throw new ApiError('rate_limit_exceeded', { message: 'The GIF provider accepts no more requests now.', data: { retry_after: wait } })
  }
  if (status < 200 || status >= 300) throw unavailable()
}

/** Removes the API key from anything the provider echoes back. */
const redactKey = (key: string, page: GifPage): GifPage => {
  const text = JSON.stringify(page)
  const spellings = [...new Set([key, encodeURIComponent(key)])].map((spelling) => JSON.stringify(spelling).slice(1, -1))
  return spellings.some((spelling) => text.includes(spelling))
    ? (JSON.parse(spellings.reduce((rest, spelling) => rest.replaceAll(spelling, ''), text)) as GifPage)
    : page
}

/**
 * Sends the search to the provider. Errors and logs must not contain the URL, which includes the API key.
 * @throws invalid_api_key, rate_limit_exceeded, service_unavailable
 */
export const requestGifs = async ({ providers, config, log }: Services, apiKey: string, search: Search): Promise<GifPage> => {
  const { q, limit, offset, rating, lang } = search
  const query = new URLSearchParams({ api_key: apiKey, q, limit: String(limit), offset: String(offset), rating, lang })
  try {
    const { status, headers, body } = await providers.request(`${config.gifApiUrl.replace(/\/+$/, '')}/search?${query}`, {
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
    })
    checkStatus(status, String(headers['retry-after'] ?? ''))
    const answer = parseResponse(body.toString('utf8'))
    checkStatus(statusIn(answer) ?? status, String(headers['retry-after'] ?? ''))
    const page = readPage(answer, search)
    if (!page) throw unavailable()
    return redactKey(apiKey, page)
  } catch (error) {
    if (error instanceof ApiError) throw error
    log.warn({ event: 'gif_search_failed', reason: error instanceof OutboundError ? error.reason : 'unexpected' }, 'GIF search failed')
    throw unavailable()
  }
}
