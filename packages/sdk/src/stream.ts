import type { Route } from '@lyceum/contract'
import { LyceumError } from './error.ts'
import { type Connection, toRequest } from './transport.ts'

export interface StreamOptions {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** An event with its id, to resume later: `client.stream.listen({ last_event_id: id })`. */
export type WithId<E> = E & { readonly id: string }

type Input = Readonly<Record<string, unknown>>
type Message = { readonly event: string; readonly data: string; readonly id: string | undefined }

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000
/** Three keep-alive comments were missed: the connection is considered dead. */
const KEEP_ALIVE_TIMEOUT_MS = 45_000

/** Parses the messages of an event stream. A message without an event only updates the id. */
async function* messagesOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Message> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) =>
          block.split('\n').flatMap((line) => (line.startsWith(`${name}: `) ? line.slice(name.length + 2) : []))
        yield { event: field('event')[0] ?? '', data: field('data').join('\n'), id: field('id')[0] }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })

const RETRYABLE = new Set([408, 425, 429])

/** The error of a failed request; undefined if it can be retried. */
const fatalErrorOf = async (response: Response): Promise<LyceumError | undefined> => {
  const { status, headers } = response
  const body = await response.json().catch(() => undefined)
  return status >= 500 || RETRYABLE.has(status) ? undefined : new LyceumError(status, body, headers.get('x-request-id'))
}

/**
 * Iterates over the events of the stream. A lost connection is reestablished with exponential backoff and resumes at the last event.
 * Ends with `signal`, or when the server closes the stream because the caller opened too many.
 * @throws LyceumError if the server rejects the request, for example because the credentials are no longer valid
 */
export async function* listen<E>(
  connection: Connection,
  route: Route,
  input: Input,
  { signal, headers }: StreamOptions = {},
): AsyncGenerator<WithId<E>> {
  let id = typeof input['last_event_id'] === 'string' ? input['last_event_id'] : ''
  for (let failures = 0; !signal?.aborted; ) {
    const timeout = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const resetTimeout = () => {
      clearTimeout(timer)
      timer = setTimeout(() => timeout.abort(), KEEP_ALIVE_TIMEOUT_MS)
    }
    try {
      resetTimeout()
      const { path } = toRequest(route, { ...input, last_event_id: undefined })
      const response = await connection.fetch(connection.baseUrl + path, {
        method: route.method,
        headers: { accept: 'text/event-stream', ...(id && { 'last-event-id': id }), ...connection.headers(), ...headers },
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      })
      if (!response.ok || !response.body) {
        const fatal = await fatalErrorOf(response)
        if (fatal) throw fatal
      } else {
        for await (const message of messagesOf(response.body, resetTimeout)) {
          if (signal?.aborted) return
          id = message.id ?? id
          if (!message.event) continue
          failures = 0
          const data = JSON.parse(message.data) as { reason?: string }
          yield { event: message.event, data, id } as unknown as WithId<E>
          if (message.event === 'closed' && data.reason === 'replaced') return
        }
      }
    } catch (error) {
      if (error instanceof LyceumError) throw error
    } finally {
      clearTimeout(timer)
    }
    failures += 1
    const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1))
    // Jitter, so that the clients of a stopped server do not reconnect simultaneously.
    if (!signal?.aborted) await pause(delay / 2 + (Math.random() * delay) / 2, signal)
  }
}
