import type { Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { OutboundError } from '../../outbound/index.ts'
import { type GifPage, parseAnswer, readPage, statusIn } from './parse-response.ts'

/** All that a search may take is three seconds; some of it is ours. */
const TIMEOUT_MS = 2700
const MOST_BYTES = 1024 * 1024
/** Seconds until the next try where the provider does not say. */
const USUAL_WAIT_S = 60
const LONGEST_WAIT_S = 24 * 3600

export interface Search {
  readonly q: string
  readonly limit: number
  readonly offset: number
  readonly rating: GifPage['data'][number]['rating']
  readonly lang: string
}

const unavailable = () =>
  new ApiError('service_unavailable', { message: 'The search for GIFs does not answer now. Try again in a moment.' })

/** @throws invalid_api_key, rate_limit_exceeded, service_unavailable */
const checkStatus = (status: number, retryAfter: string): void => {
  // Not the caller's own credentials: no browser shall ask for them.
  if (status === 401 || status === 403) throw new ApiError('invalid_api_key', { challenge: false })
  if (status === 429) {
    const wait = /^\d{1,6}$/.test(retryAfter) ? Math.min(LONGEST_WAIT_S, Math.max(1, Number(retryAfter))) : USUAL_WAIT_S
    throw new ApiError('rate_limit_exceeded', { message: 'The provider of GIFs takes no more requests now.', data: { retry_after: wait } })
  }
  if (status < 200 || status >= 300) throw unavailable()
}

/** Takes the key out of whatever a provider sends back. */
const without = (key: string, page: GifPage): GifPage => {
  const text = JSON.stringify(page)
  const spellings = [...new Set([key, encodeURIComponent(key)])].map((spelling) => JSON.stringify(spelling).slice(1, -1))
  return spellings.some((spelling) => text.includes(spelling))
    ? (JSON.parse(spellings.reduce((rest, spelling) => rest.replaceAll(spelling, ''), text)) as GifPage)
    : page
}

/**
 * Asks the provider. Neither errors nor logs tell the address, which holds the key.
 * @throws invalid_api_key, rate_limit_exceeded, service_unavailable
 */
export const askProvider = async ({ providers, config, log }: Services, apiKey: string, search: Search): Promise<GifPage> => {
  const { q, limit, offset, rating, lang } = search
  const query = new URLSearchParams({ api_key: apiKey, q, limit: String(limit), offset: String(offset), rating, lang })
  try {
    const { status, headers, body } = await providers.request(`${config.gifApiUrl.replace(/\/+$/, '')}/search?${query}`, {
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
    })
    checkStatus(status, String(headers['retry-after'] ?? ''))
    const answer = parseAnswer(body.toString('utf8'))
    checkStatus(statusIn(answer) ?? status, String(headers['retry-after'] ?? ''))
    const page = readPage(answer, search)
    if (!page) throw unavailable()
    return without(apiKey, page)
  } catch (error) {
    if (error instanceof ApiError) throw error
    log.warn({ reason: error instanceof OutboundError ? error.reason : 'unexpected' }, 'the provider of GIFs gave no answer')
    throw unavailable()
  }
}
