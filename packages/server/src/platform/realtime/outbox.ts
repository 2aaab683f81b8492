import { MOST_SIGNAL_BYTES } from '../../db/index.ts'

type Touched = ReadonlySet<string> | 'everything'

export const EVERYTHING = '*'
/** What would take more texts than these is told as everything. */
const MOST_TEXTS = 8
/** Between two tellings, so that what is committed at once is told at once. */
const GAP_MS = 5
const RETRY_MS = 250
/** What is still to be told when the process ends is waited for so long. */
const LONGEST_CLOSE_MS = 2000

/** Subjects, a line each, in texts of limited size. */
export const packed = (subjects: ReadonlySet<string>, room = MOST_SIGNAL_BYTES - 100): string[] => {
  const texts: string[] = []
  let text = ''
  let bytes = 0
  for (const subject of subjects) {
    const size = Buffer.byteLength(subject) + 1
    if (bytes + size > room && text) {
      texts.push(text)
      text = ''
      bytes = 0
    }
    text += text ? `\n${subject}` : subject
    bytes += size
  }
  if (text) texts.push(text)
  return texts.length > MOST_TEXTS ? [EVERYTHING] : texts
}

/**
 * Collects what was committed and hands it to `send`, at once where nothing is under way and together otherwise. What could not be handed
 * over is told again as everything until it is.
 */
export const createOutbox = (send: (texts: readonly string[]) => Promise<void>) => {
  let waiting: Set<string> | 'everything' = new Set()
  let running: Promise<void> | null = null
  let closed = false

  const isEmpty = () => waiting !== 'everything' && waiting.size === 0
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, closed ? 0 : ms).unref())

  const run = async () => {
    // What is committed in the same turn goes along.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (!isEmpty()) {
      const texts = waiting === 'everything' ? [EVERYTHING] : packed(waiting)
      waiting = new Set()
      try {
        await send(texts)
        await pause(GAP_MS)
      } catch {
        waiting = 'everything'
        if (closed) break
        await pause(RETRY_MS)
      }
    }
    running = null
  }

  return {
    add: (touched: Touched) => {
      if (touched === 'everything') waiting = 'everything'
      else if (waiting !== 'everything') for (const subject of touched) waiting.add(subject)
      running ??= run()
    },
    /** Hands over the rest. */
    close: async () => {
      closed = true
      const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_CLOSE_MS).unref())
      while (running !== null) {
        const left = await Promise.race([running.then(() => true), late.then(() => false)])
        if (!left) return
      }
    },
  }
}
