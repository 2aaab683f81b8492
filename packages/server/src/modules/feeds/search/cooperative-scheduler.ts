import { setImmediate } from 'node:timers/promises'

/** So many times as long as a portion takes others have their turn behind it, where nobody waits for the end. */
const REST = 2

/** How long work that comes in portions leaves the thread to others between two of them. */
export interface CooperativeScheduler {
  /** False: it is to end. */
  readonly next: () => Promise<boolean>
  /** Somebody waits for it now. */
  readonly hurry: () => void
  readonly end: () => void
}

export const createCooperativeScheduler = (): CooperativeScheduler => {
  let hurried = false
  let goesOn = true
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
  const hurry = () => {
    hurried = true
    wake()
  }
  return {
    next: async () => {
      await (hurried ? setImmediate() : rest(REST * (performance.now() - began)))
      began = performance.now()
      return goesOn
    },
    hurry,
    end: () => {
      goesOn = false
      hurry()
    },
  }
}
