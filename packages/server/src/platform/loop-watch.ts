import type { Log } from './log.ts'

const LOOK_MS = 100
/** A turn of the event loop that takes longer holds up everybody noticeably. */
const BLOCKED_MS = 200
const MOST_NAMED = 20

/** Knows which operations and jobs are under way, and says which of them were when the event loop stood still. */
export interface LoopWatch {
  /** Does the work under this name: the id of an operation, or `job:` and the name of a job. */
  during<T>(name: string, work: () => T): T
  /** Seconds in which the event loop was blocked, by the work that was under way. */
  blockedSeconds(): ReadonlyMap<string, number>
  start(): void
  stop(): void
}

/**
 * Counts what is under way by name, which costs little more than a look into a table, and looks at a steady pace whether the event loop was
 * late. Whatever was under way in the meantime is named: one of them held it, the others waited.
 */
export const createLoopWatch = (log: Log): LoopWatch => {
  const running = new Map<string, number>()
  /** What ended since the last look. */
  const ended = new Set<string>()
  const seconds = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let looked = 0

  const end = (name: string) => {
    const left = (running.get(name) ?? 1) - 1
    if (left === 0) running.delete(name)
    else running.set(name, left)
    ended.add(name)
  }

  const look = () => {
    const now = performance.now()
    const late = now - looked - LOOK_MS
    looked = now
    if (late > BLOCKED_MS) {
      const names = [...new Set([...ended, ...running.keys()])].slice(0, MOST_NAMED)
      for (const name of names.length > 0 ? names : ['(none)']) seconds.set(name, (seconds.get(name) ?? 0) + late / 1000)
      log.warn({ event: 'event_loop_blocked', ms: Math.round(late), operations: names }, 'the event loop was blocked')
    }
    ended.clear()
  }

  return {
    during: (name, work) => {
      running.set(name, (running.get(name) ?? 0) + 1)
      let result: ReturnType<typeof work>
      try {
        result = work()
      } catch (error) {
        end(name)
        throw error
      }
      if (result instanceof Promise) {
        const done = () => end(name)
        result.then(done, done)
      } else end(name)
      return result
    },
    blockedSeconds: () => seconds,
    start: () => {
      looked = performance.now()
      timer ??= setInterval(look, LOOK_MS).unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
  }
}
