import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

export const isAddress = (place: string): boolean => /^https?:\/\//i.test(place)

export interface HttpOptions {
  /** Sent only to the origin of the request, not to redirect targets on other origins. */
  readonly authorization?: string
  /** Further headers, sent to the same origin as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts requests. */
  readonly signal?: AbortSignal
}

export interface Http {
  /** The body of a successful response; null if the URL has no content or its body exceeds `most` bytes. */
  readonly open: (url: string, most: number) => Promise<Readable | null>
  /** The headers and body of a response. */
  readonly get: (url: string, most: number) => Promise<{ readonly status: number; readonly headers: Headers; readonly body: string }>
}

const REDIRECTS = 5
const ATTEMPTS = 4
const HEADERS_WITHIN_MS = 60_000
const BODY_WITHIN_MS = 15 * 60_000
const LONGEST_WAIT_MS = 60_000

const tooLarge = (url: string) => new Error(`${url} has a larger body than allowed`)

async function* limited(body: AsyncIterable<Uint8Array>, url: string, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) throw tooLarge(url)
    yield chunk
  }
}

const bodyOf = (response: Response) => (response.body ?? []) as unknown as AsyncIterable<Uint8Array>

/** Milliseconds to wait before the next attempt; null if the request must not be retried. */
const waitOf = (response: Response, attempt: number): number | null => {
  if (response.status !== 429 && response.status < 500) return null
  const seconds = Number(response.headers.get('retry-after') ?? 2 ** attempt)
  return Math.min(Number.isFinite(seconds) ? seconds * 1000 : 1000, LONGEST_WAIT_MS)
}

/** Whether a retry may succeed. The guard that restricts `fetch` to public addresses sets the reason `refused`. */
const mayBeRepeated = (error: unknown): boolean => {
  const { message, cause } = error as Error
  return message === 'fetch failed' && (cause as { readonly reason?: string } | undefined)?.reason !== 'refused'
}

/** HTTP client for a site that the operator chose: it limits sizes, redirects, durations and retries, but not addresses. */
export const createHttp = ({ authorization, headers: further, signal }: HttpOptions = {}): Http => {
  const secret = { ...further, ...(authorization && { authorization }) }
  const once = async (from: string): Promise<Response> => {
    const origin = new URL(from).origin
    let url = new URL(from)
    for (let redirects = 0; ; redirects++) {
      const headers = new AbortController()
      const timer = setTimeout(() => headers.abort(), HEADERS_WITHIN_MS)
      const response = await fetch(url, {
        redirect: 'manual',
        signal: AbortSignal.any([headers.signal, AbortSignal.timeout(BODY_WITHIN_MS), ...(signal ? [signal] : [])]),
        headers: url.origin === origin ? secret : {},
      }).finally(() => clearTimeout(timer))
      const location = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || location === null) return response
      await response.body?.cancel()
      url = new URL(location, url)
      if (redirects === REDIRECTS || !isAddress(url.href)) throw new Error(`${from} redirects too often, or to an unsupported URL`)
    }
  }

  const send = async (url: string): Promise<Response> => {
    for (let attempt = 0; ; attempt++) {
      const response = await once(url).catch((error: unknown) => {
        if (attempt + 1 < ATTEMPTS && mayBeRepeated(error)) return null
        throw error
      })
      const wait = response ? waitOf(response, attempt) : 2 ** attempt * 1000
      if (response && (wait === null || attempt + 1 === ATTEMPTS)) return response
      await response?.body?.cancel()
      await delay(wait ?? 0)
    }
  }

  return {
    open: async (url, most) => {
      const response = await send(url)
      if (!response.ok || Number(response.headers.get('content-length') ?? 0) > most) {
        await response.body?.cancel()
        return null
      }
      return Readable.from(limited(bodyOf(response), url, most), { objectMode: false })
    },
    get: async (url, most) => {
      const response = await send(url)
      const chunks = await Array.fromAsync(limited(bodyOf(response), url, most))
      return { status: response.status, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }
    },
  }
}
