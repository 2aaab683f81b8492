import { DatabaseUnavailable } from '../database.ts'

/** The one that holds the row, and the next: more would only keep connections from others. */
const AT_ONCE = 2

interface KeyedQueueEntry {
  running: number
  readonly waiting: Set<() => void>
}

/**
 * Lets writes about one place go one after the other, in the order in which they came, so that thousands about one row take two connections and
 * not all. Who waits longer than `patienceMs` is refused.
 */
export const createKeyedQueue = (patienceMs: number) => {
  const crowds = new Map<string, KeyedQueueEntry>()
  let waiting = 0

  const turn = ({ waiting: queue }: KeyedQueueEntry): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        queue.delete(begin)
        waiting -= 1
      }
      const begin = () => {
        leave()
        resolve()
      }
      const timer = setTimeout(() => {
        leave()
        reject(new DatabaseUnavailable(new Error('too many write to one place')))
      }, patienceMs)
      queue.add(begin)
      waiting += 1
    })

  return {
    waiting: () => waiting,
    within: async <T>(place: string, work: () => Promise<T>): Promise<T> => {
      const crowd = crowds.get(place) ?? { running: 0, waiting: new Set() }
      crowds.set(place, crowd)
      if (crowd.running >= AT_ONCE) await turn(crowd)
      else crowd.running += 1
      try {
        return await work()
      } finally {
        const [next] = crowd.waiting
        if (next) next()
        else {
          crowd.running -= 1
          if (crowd.running === 0) crowds.delete(place)
        }
      }
    },
  }
}
