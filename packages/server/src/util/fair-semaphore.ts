import { BusyError } from '../secrets/semaphore.ts'

export interface FairSemaphoreOptions {
  /** Maximum number of concurrent tasks, in total and per owner. */
  readonly concurrent: number
  readonly perOwner: number
  /** Maximum number of waiting tasks per owner; further ones fail with a BusyError. */
  readonly waitingPerOwner: number
}

interface Lane {
  running: number
  readonly queue: (() => void)[]
}

/**
 * Runs a bounded number of tasks concurrently. Free places go to the owners in turn, and the tasks of one owner run in order, so many tasks
 * of one owner do not delay those of others.
 */
export const createFairSemaphore = <Owner>({ concurrent, perOwner, waitingPerOwner }: FairSemaphoreOptions) => {
  /** The owner whose turn is next comes first. */
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
    /** @throws BusyError if too many tasks of the owner wait */
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
        // An owner whose task has ended goes to the end of the queue.
        lanes.delete(owner)
        if (lane.running > 0 || lane.queue.length > 0) lanes.set(owner, lane)
        admitNext()
      }
    },
    running: () => running,
    waiting: () => waiting,
  }
}

export type FairSemaphore<Owner> = ReturnType<typeof createFairSemaphore<Owner>>
