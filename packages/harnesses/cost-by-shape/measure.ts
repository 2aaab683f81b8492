import { cpuTimeOf, slowdown } from '#test/cpu-time.ts'
import { cutToBytes, type Shape, textOf } from './shapes.ts'

/** A parser of untrusted text. */
export interface Reader {
  readonly name: string
  /** Maximum number of bytes it can get. */
  readonly most: number
  readonly shapes: readonly Shape[]
  /** Maximum time for the longest text, in milliseconds; default: MAX_MS. */
  readonly within?: number
  /** Similar to another reader, so it is only tried in long runs. */
  readonly onlyLong?: true
  /** Transforms the text beforehand, outside of the measurement. */
  readonly prepare?: (text: string) => string
  readonly read: (text: string) => unknown
}

/** Default of the maximum time for one text, in milliseconds. */
const MAX_MS = 50
const ATTEMPTS = 3
/** Below this, growth cannot be distinguished from noise. */
const MEASURABLE_MS = 20
/** A fourfold text takes four times as long if linear, sixteen times if quadratic. */
const STEEP = 13

/** Rejected texts count too, since they were parsed. */
const timeOf = (read: Reader['read'], text: string): number =>
  cpuTimeOf(() => {
    try {
      read(text)
    } catch {
      // A rejection is a valid result.
    }
  })

/** The mean of as many runs as the clock resolution requires. */
const meanOf = (read: Reader['read'], text: string): number => {
  let sum = 0
  let runs = 0
  for (; sum < MEASURABLE_MS; runs++) sum += timeOf(read, text)
  return sum / runs
}

const quickest = (read: Reader['read'], text: string, enough: number): number => {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < ATTEMPTS && best >= enough; i++) best = Math.min(best, timeOf(read, text))
  return best
}

/** Why the time for a text is too long; null if it is not. */
export const slowness = (
  { read, prepare, most, within = MAX_MS }: Pick<Reader, 'read' | 'prepare' | 'most' | 'within'>,
  shape: Shape,
): string | null => {
  const textTo = (bytes: number) => {
    const text = cutToBytes(textOf(shape, bytes), bytes)
    return prepare?.(text) ?? text
  }
  const text = textTo(most)
  const ms = quickest(read, text, MEASURABLE_MS)
  if (ms < MEASURABLE_MS) return null
  const whole = Math.min(ms, quickest(read, text, 0))
  if (whole >= within && whole >= within * slowdown()) return `${whole.toFixed(0)} ms`
  const quarter = meanOf(read, textTo(most / 4))
  return whole / quarter > STEEP ? `${whole.toFixed(0)} ms, ${quarter.toFixed(1)} ms for a quarter of it` : null
}

/** Names of the shapes for which a reader is slow. */
export const slowShapes = (reader: Reader): string[] =>
  reader.shapes.flatMap((shape) => {
    const problem = slowness(reader, shape)
    return problem ? [`${shape.name}: ${problem}`] : []
  })
