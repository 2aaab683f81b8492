import { BusyError } from '../secrets/semaphore.ts'

export interface FairGateOptions {
  /** Tasks that run at once, of everybody and of one owner. */
  readonly concurrent: number
  readonly perOwner: number
  /** Tasks of one owner that may wait; further ones are refused with a BusyError. */
  readonly waitingPerOwner: number
}

interface Lane {
  running: number
  readonly queue: (() => void)[]
}

/**
 * Runs a bounded number of tasks at once. Free places go to the owners in turn, and each owner's tasks run in the order in which they came, so
 * that many tasks of one owner do not delay a task of another.
 */
export const createFairSemaphore = <Owner>({ concurrent, perOwner, waitingPerOwner }: FairGateOptions) => {
  /** The owner whose turn comes next is first. */
  const lanes = new Map<Owner, Lane>()
  let running = 0
  let waiting = 0

  const start = (lane: Lane) => {
    lane.running += 1
    running += 1
  }

  const admitNext = () => {
    if (running >= concurrent || waiting === 0) return
    for (const lane of lanes.values()) {
      if (lane.running >= perOwner) continue
      const next = lane.queue.shift()
      if (!next) continue
      waiting -= 1
      start(lane)
      next()
      return
    }
  }

  const laneOf = (owner: Owner): Lane => {
    const lane = lanes.get(owner) ?? { running: 0, queue: [] }
    lanes.set(owner, lane)
    return lane
  }

  return {
    /** @throws BusyError when too many tasks of the owner wait */
    run: async <T>(owner: Owner, task: () => Promise<T>): Promise<T> => {
      const lane = laneOf(owner)
      if (running < concurrent && lane.running < perOwner && lane.queue.length === 0) start(lane)
      else {
        if (lane.queue.length >= waitingPerOwner) throw new BusyError('Too many tasks of this owner are waiting.')
        waiting += 1
        await new Promise<void>((turn) => lane.queue.push(turn))
      }
      try {
        return await task()
      } finally {
        lane.running -= 1
        running -= 1
        // Whose task has ended is last in turn.
        lanes.delete(owner)
        if (lane.running > 0 || lane.queue.length > 0) lanes.set(owner, lane)
        admitNext()
      }
    },
    running: () => running,
    waiting: () => waiting,
  }
}

export type FairGate<Owner> = ReturnType<typeof createFairSemaphore<Owner>>
