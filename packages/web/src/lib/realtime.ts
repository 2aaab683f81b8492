import { client } from './client.ts'

type Any = ReturnType<typeof client.stream.listen> extends AsyncGenerator<infer E> ? E : never
export type StreamEvent = Any['event']
export type StreamData<N extends StreamEvent> = Extract<Any, { readonly event: N }>['data']

const listeners = new Map<StreamEvent, Set<(data: never) => void>>()
let running: AbortController | null = null

const run = async (signal: AbortSignal) => {
  try {
    for await (const { event, data } of client.stream.listen({}, { signal }))
      for (const listener of listeners.get(event) ?? []) listener(data as never)
  } finally {
    // Another stream may have been opened in the meantime.
    if (running?.signal === signal) running = null
  }
}

const start = () => {
  running = new AbortController()
  // A 401 means the session ended; the next API request handles that.
  run(running.signal).catch(() => {})
}

/**
 * Subscribes to stream events by name. All listeners share one connection, which opens with the first and closes with the last. Returns an
 * unsubscribe function, suitable for `useEffect`.
 */
export const onStreamEvent = <N extends StreamEvent>(event: N, listener: (data: StreamData<N>) => void): (() => void) => {
  const own = listeners.get(event) ?? new Set()
  listeners.set(event, own)
  own.add(listener as (data: never) => void)
  if (!running) start()
  return () => {
    own.delete(listener as (data: never) => void)
    if ([...listeners.values()].every((others) => others.size === 0)) {
      running?.abort()
      running = null
    }
  }
}
