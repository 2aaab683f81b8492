import { cutToBytes, type Shape, textOf } from './shapes.ts'

/** Something that reads foreign text. */
export interface Reader {
  readonly name: string
  /** Most bytes that reach it. */
  readonly most: number
  readonly shapes: readonly Shape[]
  /** So much like another reader that it is tried in long runs alone. */
  readonly onlyLong?: true
  /** What is made of the text before it gets there, at another time. */
  readonly prepare?: (text: string) => string
  readonly read: (text: string) => unknown
}

/** Longest time that one text may take, in milliseconds. */
const MAX_MS = 50
const ATTEMPTS = 3
/** Below this, how the time grows cannot be told from what else the processor does. */
const MEASURABLE_MS = 20
/** Four times the text takes four times the time where it is linear, sixteen times where it is quadratic. */
const STEEP = 13

/** Time of this thread alone, whatever else the machine does. What is refused has been read too. */
const timeOf = (read: Reader['read'], text: string): number => {
  const before = process.threadCpuUsage()
  try {
    read(text)
  } catch {
    // A refusal is an answer.
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The mean of as many runs as the clock needs to tell it. */
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

/** What is wrong with the time that a text takes; null: nothing. */
export const slowness = ({ read, prepare, most }: Pick<Reader, 'read' | 'prepare' | 'most'>, shape: Shape): string | null => {
  const textTo = (bytes: number) => {
    const text = cutToBytes(textOf(shape, bytes), bytes)
    return prepare?.(text) ?? text
  }
  const text = textTo(most)
  const ms = quickest(read, text, MEASURABLE_MS)
  if (ms < MEASURABLE_MS) return null
  const whole = Math.min(ms, quickest(read, text, 0))
  if (whole >= MAX_MS) return `${whole.toFixed(0)} ms`
  const quarter = meanOf(read, textTo(most / 4))
  return whole / quarter > STEEP ? `${whole.toFixed(0)} ms, ${quarter.toFixed(1)} ms for a quarter of it` : null
}

/** Names of the shapes that a reader is slow on. */
export const slowShapes = (reader: Reader): string[] =>
  reader.shapes.flatMap((shape) => {
    const problem = slowness(reader, shape)
    return problem ? [`${shape.name}: ${problem}`] : []
  })
