/** More work is waiting than may wait; callers answer 503 `service_unavailable`. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly code = 'busy'
}

interface Options {
  readonly concurrent: number
  readonly waiting: number
  /** Most deferrable tasks that may wait; as many as others unless said. */
  readonly waitingDeferrable?: number
}

/**
 * Runs at most `concurrent` tasks at once and lets at most `waiting` more wait for their turn, first come first served. Deferrable tasks
 * start only when no other task waits, have a queue of their own, and leave one place free where there is more than one.
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
        // A task that ends hands its place on, so that nobody slips in between.
        startNext()
      }
    },
    /** How many run and wait, for the metrics. */
    places: () => ({ used: running.all, waiting: queue.length + deferred.length }),
  }
}
