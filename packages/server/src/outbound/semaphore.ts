import { OutboundError } from './error.ts'

/** Lets at most `most` callers in at once and `waiting` more queue up. */
export const createPlaces = (most: number, waiting: number) => {
  let taken = 0
  const queue: (() => void)[] = []
  const leave = () => {
    const next = queue.shift()
    if (next) return next()
    taken--
  }

  /** @throws OutboundError when the queue is full or the signal ends the wait */
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
