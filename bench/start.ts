import type { Request } from './load.ts'
import { type Place, startLyceum } from './server.ts'

/** How the measurement is chosen. */
export const START = 'start'
const STARTS = 5

export interface Starts {
  /** Milliseconds from the start of the process until a member had a first answer, in rising order. */
  readonly times: readonly number[]
  readonly median: number
}

/** Starts the server on data that are there, again and again, and asks at once. */
export const measureStarts = async (place: Place, { method, path, headers }: Request): Promise<Starts> => {
  const times: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const begun = performance.now()
    const server = await startLyceum(place)
    const response = await fetch(server.origin + path, { method, headers: { ...headers } })
    await response.arrayBuffer()
    times.push(performance.now() - begun)
    await server.stop()
    if (!response.ok) throw new Error(`the first request was answered with ${response.status}`)
  }
  times.sort((a, b) => a - b)
  return { times, median: times[Math.floor(STARTS / 2)] ?? 0 }
}
