/** More work is waiting than may wait; callers answer 503 `service_unavailable`. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly code = 'busy'
}

/** Runs at most `concurrent` tasks at once and lets at most `waiting` more wait for their turn, first come first served. */
export const createGate = ({ concurrent, waiting }: { concurrent: number; waiting: number }) => {
  const queue: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running < concurrent) running += 1
    else if (queue.length < waiting) await new Promise<void>((turn) => queue.push(turn))
    else throw new BusyError('Too many are waiting.')
    try {
      return await task()
    } finally {
      // A task that ends hands its place on, so that nobody slips in between.
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
