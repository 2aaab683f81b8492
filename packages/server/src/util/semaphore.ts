/** Too many tasks are waiting; callers respond with 503 `service_unavailable`. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly code = 'busy'
}

interface KeyLimits {
  /** Maximum number of concurrent tasks of a key. */
  readonly perKey?: number
  /** Maximum number of waiting tasks of a key; further ones fail with a BusyError. */
  readonly waitingPerKey?: number
}

interface SemaphoreOptions<Key> extends KeyLimits {
  /** Maximum number of concurrent tasks in total. */
  readonly concurrent?: number
  /** Tasks that wait longer than this fail with a BusyError. */
  readonly maxWaitMs?: number
  /** A key whose tasks start only when no others wait, and its own limits. */
  readonly deferrable?: KeyLimits & { readonly key: Key }
}

interface KeyState {
  readonly perKey: number
  readonly maxWaiting: number
  running: number
  readonly waiting: Set<() => void>
}

/**
 * Runs a bounded number of tasks concurrently; every limit is infinite by default. The tasks of one key start in order. Free slots go to
 * the keys in turn, so many tasks of one key do not delay those of others.
 */
export const createSemaphore = <Key = undefined>(options: SemaphoreOptions<Key>) => {
  const { concurrent = Number.POSITIVE_INFINITY, maxWaitMs, deferrable } = options
  const isDeferrable = (key: Key) => deferrable !== undefined && key === deferrable.key
  /** The key whose turn is next comes first. */
  const states = new Map<Key, KeyState>()
  let running = 0
  let waiting = 0

  const stateOf = (key: Key): KeyState => {
    const known = states.get(key)
    if (known) return known
    const { perKey = concurrent, waitingPerKey = Number.POSITIVE_INFINITY } = (isDeferrable(key) && deferrable) || options
    const state: KeyState = { perKey, maxWaiting: waitingPerKey, running: 0, waiting: new Set() }
    states.set(key, state)
    return state
  }

  const hasRoom = (state: KeyState) => running < concurrent && state.running < state.perKey

  const start = (state: KeyState) => {
    state.running += 1
    running += 1
  }

  const removeIfIdle = (key: Key, state: KeyState) => {
    if (state.running === 0 && state.waiting.size === 0) states.delete(key)
  }

  const waitForSlot = (key: Key, state: KeyState, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        state.waiting.delete(admit)
        waiting -= 1
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const admit = () => {
        leave()
        start(state)
        resolve()
      }
      const fail = (reason: unknown) => {
        leave()
        removeIfIdle(key, state)
        reject(reason)
      }
      const abort = () => fail(signal?.reason)
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => fail(new BusyError('The wait took too long.')), maxWaitMs)
      signal?.addEventListener('abort', abort, { once: true })
      state.waiting.add(admit)
      waiting += 1
    })

  /** Starts at once, which returns undefined, or waits for a slot. */
  const enter = (key: Key, state: KeyState, signal?: AbortSignal): Promise<void> | undefined => {
    if (hasRoom(state)) {
      start(state)
      return undefined
    }
    if (state.waiting.size < state.maxWaiting) return waitForSlot(key, state, signal)
    removeIfIdle(key, state)
    throw new BusyError('Too many tasks are waiting.')
  }

  const admitNext = () => {
    if (waiting === 0) return
    for (const [key, state] of states) {
      const [next] = state.waiting
      if (!next || !hasRoom(state) || (isDeferrable(key) && waiting > state.waiting.size)) continue
      return next()
    }
  }

  const leave = (key: Key, state: KeyState) => {
    state.running -= 1
    running -= 1
    // A key whose task has ended goes to the end of the queue.
    states.delete(key)
    states.set(key, state)
    removeIfIdle(key, state)
    // A task that ends starts the next one itself, so that no new task overtakes it.
    admitNext()
  }

  return {
    /**
     * Waits for a slot; returns the function that releases it.
     * @throws BusyError, or the reason of the signal if it aborts the wait
     */
    acquire: async (key: Key, signal?: AbortSignal): Promise<() => void> => {
      signal?.throwIfAborted()
      const state = stateOf(key)
      await enter(key, state, signal)
      return () => leave(key, state)
    },
    /** @throws BusyError */
    run: async <T>(key: Key, task: () => Promise<T>): Promise<T> => {
      const state = stateOf(key)
      const wait = enter(key, state)
      if (wait !== undefined) await wait
      try {
        return await task()
      } finally {
        leave(key, state)
      }
    },
    running: () => running,
    waiting: () => waiting,
  }
}

export type Semaphore<Key> = ReturnType<typeof createSemaphore<Key>>
