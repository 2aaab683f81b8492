import { PerformanceObserver } from 'node:perf_hooks'
import v8 from 'node:v8'

/** V8 doubles the room of new objects up to 64 MiB, which a request's, gone with its answer, have no use for. */
const ENOUGH = 6 * 2 ** 20
const DOUBLE = '--semi-space-growth-factor=2'
const STAY = '--semi-space-growth-factor=1'

const roomOfNewObjects = () => v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/** Keeps the room that V8 has for new objects near 16 MiB. Its own limit can only be set by whoever starts Node. */
export const limitYoungGeneration = (): void => {
  let now: string | undefined
  const look = () => {
    const wanted = roomOfNewObjects() > ENOUGH ? STAY : DOUBLE
    if (wanted === now) return
    now = wanted
    v8.setFlagsFromString(wanted)
  }
  new PerformanceObserver(look).observe({ type: 'gc' })
}
