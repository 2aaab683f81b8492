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
 * start only when no other task waits, and have a queue of their own.
 */
export const createGate = ({ concurrent, waiting, waitingDeferrable = waiting }: Options) => {
  const queue: (() => void)[] = []
  const deferred: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>, { deferrable = false } = {}): Promise<T> => {
    const [own, most] = deferrable ? [deferred, waitingDeferrable] : [queue, waiting]
    if (running < concurrent) running += 1
    else if (own.length < most) await new Promise<void>((turn) => own.push(turn))
    else throw new BusyError('Too many are waiting.')
    try {
      return await task()
    } finally {
      // A task that ends hands its place on, so that nobody slips in between.
      const next = queue.shift() ?? deferred.shift()
      if (next) next()
      else running -= 1
    }
  }
}
