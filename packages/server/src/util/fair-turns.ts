/**
 * Lets each owner do one step per turn of the event loop, so that many downloads of one owner delay other requests no more than a single one.
 * An idle event loop takes thousands of turns per second.
 */
export const createFairTurns = <Owner>() => {
  const queues = new Map<Owner, (() => void)[]>()
  let isScheduled = false

  const takeTurn = () => {
    isScheduled = false
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
    setImmediate(takeTurn)
  }

  /** Calls `step` in a later turn of the event loop, after the earlier steps of the same owner. */
  return (owner: Owner, step: () => void): void => {
    const queue = queues.get(owner)
    if (queue) queue.push(step)
    else queues.set(owner, [step])
    schedule()
  }
}

export type FairTurns<Owner> = ReturnType<typeof createFairTurns<Owner>>
