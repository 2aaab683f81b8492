/** Too many tasks are waiting; callers respond with 503 `service_unavailable`. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly code = 'busy'
}

interface LaneLimits {
  /** Maximum number of concurrent tasks of a key. */
  readonly perKey?: number
  /** Maximum number of waiting tasks of a key; further ones fail with a BusyError. */
  readonly waitingPerKey?: number
}

interface SemaphoreOptions<Key> extends LaneLimits {
  /** Maximum number of concurrent tasks in total. */
  readonly concurrent?: number
  /** Tasks that wait longer than this fail with a BusyError. */
  readonly maxWaitMs?: number
  /** A key whose tasks start only when no others wait, and its own limits. */
  readonly deferrable?: LaneLimits & { readonly key: Key }
}

interface Lane {
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
  const lanes = new Map<Key, Lane>()
  let running = 0
  let waiting = 0

  const laneOf = (key: Key): Lane => {
    const known = lanes.get(key)
    if (known) return known
    const { perKey = concurrent, waitingPerKey = Number.POSITIVE_INFINITY } = (isDeferrable(key) && deferrable) || options
    const lane: Lane = { perKey, maxWaiting: waitingPerKey, running: 0, waiting: new Set() }
    lanes.set(key, lane)
    return lane
  }

  const hasRoom = (lane: Lane) => running < concurrent && lane.running < lane.perKey

  const start = (lane: Lane) => {
    lane.running += 1
    running += 1
  }

  const removeIfIdle = (key: Key, lane: Lane) => {
    if (lane.running === 0 && lane.waiting.size === 0) lanes.delete(key)
  }

  const turn = (key: Key, lane: Lane, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        lane.waiting.delete(admit)
        waiting -= 1
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const admit = () => {
        leave()
        start(lane)
        resolve()
      }
      const fail = (reason: unknown) => {
        leave()
        removeIfIdle(key, lane)
        reject(reason)
      }
      const abort = () => fail(signal?.reason)
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => fail(new BusyError('The wait took too long.')), maxWaitMs)
      signal?.addEventListener('abort', abort, { once: true })
      lane.waiting.add(admit)
      waiting += 1
    })

  /** Starts at once, which returns undefined, or waits for a slot. */
  const enter = (key: Key, lane: Lane, signal?: AbortSignal): Promise<void> | undefined => {
    if (hasRoom(lane)) {
      start(lane)
      return undefined
    }
    if (lane.waiting.size < lane.maxWaiting) return turn(key, lane, signal)
    removeIfIdle(key, lane)
    throw new BusyError('Too many tasks are waiting.')
  }

  const admitNext = () => {
    if (waiting === 0) return
    for (const [key, lane] of lanes) {
      const [next] = lane.waiting
      if (!next || !hasRoom(lane) || (isDeferrable(key) && waiting > lane.waiting.size)) continue
      return next()
    }
  }

  const leave = (key: Key, lane: Lane) => {
    lane.running -= 1
    running -= 1
    // A key whose task has ended goes to the end of the queue.
    lanes.delete(key)
    lanes.set(key, lane)
    removeIfIdle(key, lane)
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
      const lane = laneOf(key)
      await enter(key, lane, signal)
      return () => leave(key, lane)
    },
    /** @throws BusyError */
    run: async <T>(key: Key, task: () => Promise<T>): Promise<T> => {
      const lane = laneOf(key)
      const wait = enter(key, lane)
      if (wait !== undefined) await wait
      try {
        return await task()
      } finally {
        leave(key, lane)
      }
    },
    running: () => running,
    waiting: () => waiting,
  }
}

export type Semaphore<Key> = ReturnType<typeof createSemaphore<Key>>
