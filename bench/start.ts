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

/** Starts the server on existing data and sends a request immediately. Milliseconds until the response, and of CPU time until then. */
export const measureStart = async (place: Place, { method, path, headers }: Request) => {
  const begun = performance.now()
  const server = await startLyceum(place)
  const response = await fetch(server.origin + path, { method, headers: { ...headers } })
  await response.arrayBuffer()
  const ms = performance.now() - begun
  const cpuMs = server.cpuMs() ?? Number.NaN
  await server.stop()
  if (!response.ok) throw new Error(`the first request returned ${response.status}`)
  return { ms, cpuMs }
}

export const measureStarts = async (place: Place, request: Request): Promise<Starts> => {
  const times: number[] = []
  for (let i = 0; i < STARTS; i++) times.push((await measureStart(place, request)).ms)
  times.sort((a, b) => a - b)
  return { times, median: times[Math.floor(STARTS / 2)] ?? 0 }
}
