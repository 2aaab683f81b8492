import type { Request } from './load.ts'
import { type Place, startLyceum } from './server.ts'

/** Name of this measurement. */
export const START = 'start'
const STARTS = 5

export interface Starts {
  /** Milliseconds from process start to the first response for a member, in ascending order. */
  readonly times: readonly number[]
  readonly median: number
}

/** Starts the server repeatedly on existing data and sends a request immediately. */
export const measureStarts = async (place: Place, { method, path, headers }: Request): Promise<Starts> => {
  const times: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const begun = performance.now()
    const server = await startLyceum(place)
    const response = await fetch(server.origin + path, { method, headers: { ...headers } })
    await response.arrayBuffer()
    times.push(performance.now() - begun)
    await server.stop()
    if (!response.ok) throw new Error(`the first request returned ${response.status}`)
  }
  times.sort((a, b) => a - b)
  return { times, median: times[Math.floor(STARTS / 2)] ?? 0 }
}
