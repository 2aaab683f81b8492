import type { Clock } from '../core/clock.ts'

export interface LimitResult {
  readonly allowed: boolean
  readonly limit: number
  /** Remaining hits in this window. */
  readonly remaining: number
  /** End of the window in Unix seconds. */
  readonly resetAt: number
  /** Seconds to wait, at least 1; 0 if allowed. */
  readonly retryAfter: number
}

interface Window {
  count: number
  /** Unix time in milliseconds. */
  endsAt: number
}

/** More than one, so that expired windows are removed faster than new ones are added, and few, so that no hit pays for all. */
const SWEEP_AT_ONCE = 8

/** Computes the result from a count that includes the current hit; times are Unix milliseconds. */
export const resultOf = (count: number, limit: number, endsAt: number, now: number): LimitResult => {
  const allowed = count <= limit
  return {
    allowed,
    limit,
    remaining: allowed ? limit - count : 0,
    resetAt: Math.ceil(endsAt / 1000),
    retryAfter: allowed ? 0 : Math.max(1, Math.ceil((endsAt - now) / 1000)),
  }
}

/**
 * Counters in the memory of this process. A window starts with the first hit of its key. Windows of one length are kept in the order of
 * their end, so expired ones are removed from the front.
 */
export const createMemoryWindows = (clock: Clock, maxKeys: number) => {
  const byLength = new Map<number, Map<string, Window>>()

  // After the clock was set back, a window must not last longer than its length.
  const isOver = (window: Window, now: number, length: number) => window.endsAt <= now || window.endsAt - now > length

  const makeRoom = (windows: Map<string, Window>, now: number, length: number) => {
    let swept = 0
    for (const [key, window] of windows) {
      if (windows.size < maxKeys && (swept === SWEEP_AT_ONCE || !isOver(window, now, length))) return
      windows.delete(key)
      swept += 1
    }
  }

  return {
    hit(key: string, limit: number, windowSeconds: number, by = 1): LimitResult {
      const now = clock.now().getTime()
      const length = windowSeconds * 1000
      let windows = byLength.get(length)
      if (!windows) {
        windows = new Map()
        byLength.set(length, windows)
      }
      let window = windows.get(key)
      if (!window || isOver(window, now, length)) {
        windows.delete(key)
        makeRoom(windows, now, length)
        window = { count: 0, endsAt: now + length }
        windows.set(key, window)
      }
      window.count += by
      return resultOf(window.count, limit, window.endsAt, now)
    },

    refund(key: string, windowSeconds: number, by = 1) {
      const window = byLength.get(windowSeconds * 1000)?.get(key)
      if (window) window.count = Math.max(0, window.count - by)
    },

    size: () => [...byLength.values()].reduce((sum, windows) => sum + windows.size, 0),
  }
}
