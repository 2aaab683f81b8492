import type { Log } from './log.ts'

const LOOK_MS = 100
/** A turn of the event loop that takes longer than this delays all requests noticeably. */
const BLOCKED_MS = 200
const MOST_NAMED = 20

/** Knows which operations and jobs are in progress, and reports those that ran while the event loop was blocked. */
export interface EventLoopWatchdog {
  /** Runs work under a name: the id of an operation, or `job:` and the name of a job. */
  during<T>(name: string, work: () => T): T
  /** Seconds for which the event loop was blocked, by work in progress. */
  blockedSeconds(): ReadonlyMap<string, number>
  start(): void
  stop(): void
}

interface Work {
  running: number
  /** Whether work with this name ended since the last check. */
  ended: boolean
  readonly end: () => void
}

/**
 * Counts the work in progress by name and checks at fixed intervals whether the event loop was late. It reports everything that was in
 * progress meanwhile: one of these blocked the loop, the rest waited. Every request passes through here, so known names cost no allocation.
 */
export const createEventLoopWatchdog = (log: Log): EventLoopWatchdog => {
  const works = new Map<string, Work>()
  const seconds = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let looked = 0

  const workNamed = (name: string): Work => {
    const known = works.get(name)
    if (known) return known
    const work: Work = {
      running: 0,
      ended: false,
      end: () => {
        work.running -= 1
        work.ended = true
      },
    }
    works.set(name, work)
    return work
  }

  const namesWhere = (matches: (work: Work) => boolean) => [...works].filter(([, work]) => matches(work)).map(([name]) => name)

  const look = () => {
    const now = performance.now()
    const late = now - looked - LOOK_MS
    looked = now
    if (late > BLOCKED_MS) {
      const names = [...namesWhere(({ running, ended }) => ended && running === 0), ...namesWhere(({ running }) => running > 0)].slice(
        0,
        MOST_NAMED,
      )
      for (const name of names.length > 0 ? names : ['(none)']) seconds.set(name, (seconds.get(name) ?? 0) + late / 1000)
      log.warn({ event: 'event_loop_blocked', ms: Math.round(late), operations: names }, 'the event loop was blocked')
    }
    for (const work of works.values()) work.ended = false
  }

  return {
    during: (name, work) => {
      const counted = workNamed(name)
      counted.running += 1
      const { end } = counted
      let result: ReturnType<typeof work>
      try {
        result = work()
      } catch (error) {
        end()
        throw error
      }
      if (result instanceof Promise) result.then(end, end)
      else end()
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
