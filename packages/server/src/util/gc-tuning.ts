import { PerformanceObserver } from 'node:perf_hooks'
import v8 from 'node:v8'

/** V8 grows the space for new objects up to 64 MiB. Objects of requests and of imported records are short-lived and do not benefit from that. */
const ENOUGH = 6 * 2 ** 20
const DOUBLE = '--semi-space-growth-factor=2'
const STAY = '--semi-space-growth-factor=1'

const roomOfNewObjects = () => v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/** Limits the space for new objects to about 16 MiB. The limit of V8 itself can only be set when Node is started. */
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

/** Keeps the heap of this process and its threads close to what is in use: it grows by a fifth between collections, instead of up to fourfold. */
export const limitHeap = (): void => {
  limitYoungGeneration()
  v8.setFlagsFromString('--heap-growing-percent=20')
}
