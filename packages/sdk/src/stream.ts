import type { Route } from '@lyceum/contract'
import { LyceumError } from './error.ts'
import { type Connection, toRequest } from './transport.ts'

export interface StreamOptions {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** The id with which a later stream goes on from here: `client.stream.listen({ last_event_id: id })`. */
export type WithId<E> = E & { readonly id: string }

type Input = Readonly<Record<string, unknown>>
type Message = { readonly event: string; readonly data: string; readonly id: string | undefined }

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000
/** Three signs of life were missed: the connection is dead, though nobody has said so. */
const SILENCE_MS = 45_000

/** The blocks of an event stream, each with its id; one without an event only moves the id. */
async function* blocksOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Message> {
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

const MAY_PASS = new Set([408, 425, 429])

/** What refuses for good; undefined where it is worth while to try again. */
const refusalOf = async (response: Response): Promise<LyceumError | undefined> => {
  const { status, headers } = response
  const body = await response.json().catch(() => undefined)
  return status >= 500 || MAY_PASS.has(status) ? undefined : new LyceumError(status, body, headers.get('x-request-id'))
}

/**
 * The events of a stream, one after the other. A connection that breaks is made anew, later and later, and goes on where it was; it ends
 * with `signal`, or when the caller opened so many streams that this one had to give way.
 * @throws LyceumError when the server refuses: the credentials are no longer good, say
 */
export async function* listen<E>(
  connection: Connection,
  route: Route,
  input: Input,
  { signal, headers }: StreamOptions = {},
): AsyncGenerator<WithId<E>> {
  let id = typeof input['last_event_id'] === 'string' ? input['last_event_id'] : ''
  for (let failures = 0; !signal?.aborted; ) {
    const silence = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const hush = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    }
    try {
      hush()
      const { path } = toRequest(route, { ...input, last_event_id: undefined })
      const response = await connection.fetch(connection.baseUrl + path, {
        method: route.method,
        headers: { accept: 'text/event-stream', ...(id && { 'last-event-id': id }), ...connection.headers(), ...headers },
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      })
      if (!response.ok || !response.body) {
        const refusal = await refusalOf(response)
        if (refusal) throw refusal
      } else {
        for await (const block of blocksOf(response.body, hush)) {
          if (signal?.aborted) return
          id = block.id ?? id
          if (!block.event) continue
          failures = 0
          const data = JSON.parse(block.data) as { reason?: string }
          yield { event: block.event, data, id } as unknown as WithId<E>
          if (block.event === 'closed' && data.reason === 'replaced') return
        }
      }
    } catch (error) {
      if (error instanceof LyceumError) throw error
    } finally {
      clearTimeout(timer)
    }
    failures += 1
    const most = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1))
    // Not all at once: when a server stops, all of its clients look for another.
    if (!signal?.aborted) await pause(most / 2 + (Math.random() * most) / 2, signal)
  }
}
