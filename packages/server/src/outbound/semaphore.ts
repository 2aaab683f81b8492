import { OutboundError } from './error.ts'

/** Admits at most `most` callers at a time and queues up to `waiting` more. */
export const createOutboundSemaphore = (most: number, waiting: number) => {
  let taken = 0
  const queue: (() => void)[] = []
  const leave = () => {
    const next = queue.shift()
    if (next) return next()
    taken--
  }

  /** @throws OutboundError if the queue is full or the signal aborts the wait */
  const enter = async (signal: AbortSignal): Promise<() => void> => {
    if (taken < most) {
      taken++
      return leave
    }
    if (queue.length >= waiting) throw new OutboundError('unreachable', 'Too many requests are on their way.')
    await new Promise<void>((resolve, reject) => {
      const give = () => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const stop = () => {
        queue.splice(queue.indexOf(give), 1)
        reject(new OutboundError('timeout', 'The request could not be sent in time.'))
      }
      queue.push(give)
      signal.addEventListener('abort', stop, { once: true })
    })
    return leave
  }
  return { enter }
}
