import type { Agent, Dispatcher } from 'undici'
import { NO_TRACING, type Tracing } from '../observability/tracing.ts'
import { lazyRequire } from '../util/lazy.ts'
import { BusyError, createSemaphore } from '../util/semaphore.ts'
import { readBody } from './body.ts'
import { OutboundError, outboundErrorIn } from './error.ts'
import { type ConnectorOptions, createConnector } from './ssrf-guard.ts'

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Total timeout for connecting, queueing, redirects and reading; 10,000 by default. */
  readonly timeoutMs?: number
  /** Maximum size of the decompressed body; 1 MiB by default. */
  readonly maxBytes?: number
  /** Truncates larger bodies instead of failing. */
  readonly cut?: boolean
  /** Maximum number of redirects to follow; none by default, so that a redirect is the response. */
  readonly redirects?: number
}

export interface OutboundAnswer {
  readonly status: number
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  /** URL of the response after redirects. */
  readonly url: string
}

export interface Outbound {
  /**
   * Sends one request to a URL that a member or another site chose.
   * @throws OutboundError with the reason
   */
  request(url: string, options?: OutboundRequest): Promise<OutboundAnswer>
  close(): Promise<void>
}

export interface OutboundOptions extends ConnectorOptions {
  readonly userAgent?: string
  readonly concurrency?: number
  readonly waiting?: number
  readonly tracing?: Tracing
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
const MAX_HEADERS = 32 * 1024
const MAX_URL = 4096
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'proxy-authorization'])
const SECRET_HEADERS = new Set(['authorization', 'cookie'])
const REDIRECTS = new Set([301, 302, 303, 307, 308])

const checkedUrl = (text: string, base?: URL): URL => {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null
  if (!url || text.length > MAX_URL) throw new OutboundError('refused', 'That is no address.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutboundError('refused', 'Only https addresses are reached.')
  if (url.username || url.password) throw new OutboundError('refused', 'An address must not carry credentials.')
  if (base?.protocol === 'https:' && url.protocol === 'http:') throw new OutboundError('refused', 'A redirect must not leave https.')
  url.hash = ''
  return url
}

const failure = (error: unknown, signal: AbortSignal): OutboundError => {
  const own = outboundErrorIn(error)
  if (own) return own
  const code = String((error as { code?: unknown })?.code ?? '')
  if (signal.aborted || code.includes('TIMEOUT')) return new OutboundError('timeout', 'The answer took too long.', { cause: error })
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new OutboundError('too_large', 'The headers are too large.', { cause: error })
  return new OutboundError('unreachable', 'The address gave no answer.', { cause: error })
}

const undici = lazyRequire<typeof import('undici')>('undici')

/** The HTTP client observes an abort signal only after connecting. This ends the wait for DNS and for a connection. */
const orAborted = <T extends Pick<Dispatcher.ResponseData, 'body'>>(answer: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason)
      answer.then(
        ({ body }) => body.on('error', () => {}).destroy(),
        () => {},
      )
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

/** The client for all requests to URLs that members or other sites chose. */
export const createOutbound = ({
  userAgent = 'Lyceum',
  concurrency = 32,
  waiting = 512,
  tracing = NO_TRACING,
  ...connecting
}: OutboundOptions): Outbound => {
  let agent: Agent | undefined
  const agentOf = (): Agent => {
    agent ??= new (undici().Agent)({
      connect: createConnector(connecting),
      connections: 8,
      pipelining: 1,
      keepAliveTimeout: 5_000,
      keepAliveMaxTimeout: 30_000,
      maxHeaderSize: MAX_HEADERS,
      allowH2: false,
    })
    return agent
  }
  const semaphore = createSemaphore({ concurrent: concurrency, waitingPerKey: waiting })

  const once = async (url: URL, options: OutboundRequest, signal: AbortSignal, traced: object): Promise<OutboundAnswer> => {
    const { method = 'GET', headers = {}, body, maxBytes = MAX_BYTES, cut = false, timeoutMs = TIMEOUT_MS } = options
    const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    const asked = undici().request(url, {
      dispatcher: agentOf(),
      method,
      headers: {
        'user-agent': userAgent,
        accept: '*/*',
        'accept-encoding': 'gzip, deflate, br',
        ...Object.fromEntries(given.filter(([name]) => !OWN_HEADERS.has(name))),
        ...traced,
      },
      ...(body !== undefined && { body }),
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    const answer = await orAborted(asked, signal)
    // A body that is not read emits an error event, which needs a listener.
    answer.body.on('error', () => {})
    const encoding = method === 'HEAD' ? '' : String(answer.headers['content-encoding'] ?? '')
    try {
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: await readBody(answer.body, encoding, { most: maxBytes, cut, signal }),
        url: url.href,
      }
    } finally {
      answer.body.destroy()
    }
  }

  const follow = async (start: URL, first: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> => {
    let url = start
    let options = first
    for (let left = first.redirects ?? 0; ; left--) {
      const [to, sent] = [url, options]
      const answer = await tracing.outgoing(sent.method ?? 'GET', to, (traced) => once(to, sent, signal, traced))
      const { location } = answer.headers
      if (left <= 0 || !REDIRECTS.has(answer.status) || typeof location !== 'string') return answer
      const next = checkedUrl(location, url)
      const { body, headers = {}, ...rest } = options
      const changes = answer.status === 303 || (answer.status < 307 && options.method === 'POST')
      const kept = Object.entries(headers).filter(
        ([name]) =>
          (next.origin === url.origin || !SECRET_HEADERS.has(name.toLowerCase())) &&
          !(changes && name.toLowerCase().startsWith('content-')),
      )
      options = {
        ...rest,
        headers: Object.fromEntries(kept),
        ...(changes ? { method: options.method === 'HEAD' ? 'HEAD' : 'GET' } : body !== undefined && { body }),
      }
      url = next
    }
  }

  return {
    request: async (text, options = {}) => {
      const url = checkedUrl(text)
      const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
      const leave = await semaphore.acquire(undefined, signal).catch((error) => {
        if (error instanceof BusyError) throw new OutboundError('unreachable', 'Too many requests are on their way.')
        throw new OutboundError('timeout', 'The request could not be sent in time.')
      })
      try {
        return await follow(url, options, signal)
      } catch (error) {
        throw failure(error, signal)
      } finally {
        leave()
      }
    },
    close: async () => {
      await agent?.destroy()
    },
  }
}
