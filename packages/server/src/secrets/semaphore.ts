/** Too many tasks are waiting; callers respond with 503 `service_unavailable`. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly code = 'busy'
}

interface Options {
  readonly concurrent: number
  readonly waiting: number
  /** Maximum number of waiting deferrable tasks; the same as for others by default. */
  readonly waitingDeferrable?: number
}

/**
 * Runs at most `concurrent` tasks at a time and queues up to `waiting` more in order. Deferrable tasks start only when no other task waits,
 * have a queue of their own, and leave one place free if there is more than one.
 */
export const createSemaphore = ({ concurrent, waiting, waitingDeferrable = waiting }: Options) => {
  const queue: (() => void)[] = []
  const deferred: (() => void)[] = []
  const mostDeferred = Math.max(1, concurrent - 1)
  const running = { all: 0, deferrable: 0 }

  const hasRoom = (deferrable: boolean) => running.all < concurrent && (!deferrable || running.deferrable < mostDeferred)
  const start = (deferrable: boolean) => {
    running.all += 1
    if (deferrable) running.deferrable += 1
  }
  const startNext = () => {
    const deferrable = queue.length === 0
    if (!hasRoom(deferrable)) return
    const next = queue.shift() ?? deferred.shift()
    if (!next) return
    start(deferrable)
    next()
  }

  return {
    run: async <T>(task: () => Promise<T>, { deferrable = false } = {}): Promise<T> => {
      const [own, most] = deferrable ? [deferred, waitingDeferrable] : [queue, waiting]
      if (hasRoom(deferrable)) start(deferrable)
      else if (own.length < most) await new Promise<void>((turn) => own.push(turn))
      else throw new BusyError('Too many are waiting.')
      try {
        return await task()
      } finally {
        running.all -= 1
        if (deferrable) running.deferrable -= 1
        // A task that ends starts the next one itself, so that no new task overtakes it.
        startNext()
      }
    },
    /** Number of running and waiting tasks, for the metrics. */
    places: () => ({ used: running.all, waiting: queue.length + deferred.length }),
  }
}
