/**
 * After so long within one turn of the event loop requests wait for the next one: what comes meanwhile is then seen, and refused if it must be.
 * Node accepts one connection a turn, so that long ones would keep new clients out.
 */
const TURN_MS = 10
/** Those who wait get as much time as was spent on those who came, up to this. */
const LONGEST_TURN_MS = 100

export interface TurnsOptions {
  /** Most requests that wait, here and elsewhere; further ones are refused. */
  readonly most: number
  /** How many requests that had their turn wait for something else: a connection to the database, or the next commit. */
  readonly elsewhere: () => number
  /** Milliseconds. */
  readonly now?: () => number
}

/**
 * Who has his turn when. As long as the thread keeps up, everybody at once; beyond that requests wait in the order in which they came, and when
 * too many do, a new one is refused at once: it costs a twentieth of being answered, and a client that hears so soon can go elsewhere.
 */
export const createRequestScheduler = ({ most, elsewhere, now = () => performance.now() }: TurnsOptions) => {
  const queue: (() => void)[] = []
  let head = 0
  /** When the first request of this turn came; 0: none has. */
  let began = 0
  /** When those who wait had their last turn, and until when they have this one. */
  let left = 0
  let until = 0

  const waiting = () => queue.length - head

  const next = (): (() => void) | undefined => {
    const found = queue[head]
    head += 1
    // It need never become empty, so that what was taken goes now and then.
    if (head >= most || head === queue.length) {
      queue.splice(0, head)
      head = 0
    }
    return found
  }

  const pump = () => {
    left = now()
    if (waiting() === 0 || left >= until) return
    next()?.()
    // The next one when this one has done all that it does at once, so that its time is counted.
    queueMicrotask(() => process.nextTick(pump))
  }

  const begin = () => {
    began = now()
    const since = began
    setImmediate(() => {
      // To refuse many takes long, too; without as much time of their own those who wait would hardly get on.
      const spent = now() - Math.max(since, left)
      began = 0
      if (waiting() === 0) return
      begin()
      until = began + Math.min(LONGEST_TURN_MS, Math.max(TURN_MS, spent))
      pump()
    })
  }

  return {
    /** Runs it now or when its turn comes; false: too many wait, and it will not be run. */
    admit: (run: () => void): boolean => {
      if (waiting() + elsewhere() >= most) return false
      if (began === 0) begin()
      if (waiting() === 0 && now() - began < TURN_MS) run()
      else queue.push(run)
      return true
    },
    waiting,
  }
}

export type RequestScheduler = ReturnType<typeof createRequestScheduler>
