import { DatabaseUnavailable } from '../database.ts'

/** One write has the row lock and one waits for it in the database; more would only occupy connections. */
const AT_ONCE = 2

interface KeyedQueueEntry {
  running: number
  readonly waiting: Set<() => void>
}

/**
 * Queues writes of one hot row in their order, so that thousands of them occupy two connections instead of the whole pool. A write that waits
 * longer than `patienceMs` fails.
 */
export const createKeyedQueue = (patienceMs: number) => {
  const queues = new Map<string, KeyedQueueEntry>()
  let waiting = 0

  const turn = ({ waiting: entries }: KeyedQueueEntry): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        entries.delete(begin)
        waiting -= 1
      }
      const begin = () => {
        leave()
        resolve()
      }
      const timer = setTimeout(() => {
        leave()
        reject(new DatabaseUnavailable(new Error('too many concurrent writes to one row')))
      }, patienceMs)
      entries.add(begin)
      waiting += 1
    })

  return {
    waiting: () => waiting,
    within: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const queue = queues.get(key) ?? { running: 0, waiting: new Set() }
      queues.set(key, queue)
      if (queue.running >= AT_ONCE) await turn(queue)
      else queue.running += 1
      try {
        return await work()
      } finally {
        const [next] = queue.waiting
        if (next) next()
        else {
          queue.running -= 1
          if (queue.running === 0) queues.delete(key)
        }
      }
    },
  }
}
