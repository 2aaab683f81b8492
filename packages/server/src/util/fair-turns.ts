/** Minimum time between two turns. With chunks of 64 KiB, an owner downloads about 55 MB per second. */
const INTERVAL_MS = 1

/**
 * Lets each owner do one step per turn. Turns are at least a millisecond apart and never in the same turn of the event loop, so that many
 * downloads of one owner take a small share of the processor and delay other requests no more than a single download.
 */
export const createFairTurns = <Owner>() => {
  const queues = new Map<Owner, (() => void)[]>()
  let isScheduled = false
  let lastTurnAt = 0

  const takeTurn = () => {
    isScheduled = false
    lastTurnAt = performance.now()
    for (const [owner, [step, ...rest]] of [...queues]) {
      if (rest.length > 0) queues.set(owner, rest)
      else queues.delete(owner)
      step?.()
    }
    schedule()
  }

  const schedule = () => {
    if (isScheduled || queues.size === 0) return
    isScheduled = true
    if (performance.now() - lastTurnAt >= INTERVAL_MS) setImmediate(takeTurn)
    else setTimeout(takeTurn, INTERVAL_MS)
  }

  /** Calls `step` in a later turn, after the earlier steps of the same owner. */
  return (owner: Owner, step: () => void): void => {
    const queue = queues.get(owner)
    if (queue) queue.push(step)
    else queues.set(owner, [step])
    schedule()
  }
}
