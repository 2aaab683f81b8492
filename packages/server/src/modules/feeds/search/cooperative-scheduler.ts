import { setImmediate } from 'node:timers/promises'

/** While nobody waits for the result, pause this many times as long as the last batch took. */
const REST_FACTOR = 2

/** Lets other work run between the batches of a long task. */
export interface CooperativeScheduler {
  /** Pauses between two batches. Returns false if the task must stop. */
  readonly next: () => Promise<boolean>
  /** Stops pausing: a caller now waits for the result. */
  readonly expedite: () => void
  readonly stop: () => void
}

export const createCooperativeScheduler = (): CooperativeScheduler => {
  let urgent = false
  let running = true
  let wake = () => {}
  let began = performance.now()

  const rest = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const expedite = () => {
    urgent = true
    wake()
  }
  return {
    next: async () => {
      await (urgent ? setImmediate() : rest(REST_FACTOR * (performance.now() - began)))
      began = performance.now()
      return running
    },
    expedite,
    stop: () => {
      running = false
      expedite()
    },
  }
}
