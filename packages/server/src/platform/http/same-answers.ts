import type { AskedRead } from '../context.ts'
import { type Keep, type SentAnswer, secondsSince, sentAgain } from './fragments.ts'

/** What an answer is made of, where that is kept: as long as these are the same objects, it is the same answer. */
export interface MadeOf {
  readonly key: string
  readonly parts: readonly unknown[]
}

interface Kept {
  readonly parts: readonly unknown[]
  readonly sent: SentAnswer
}

interface Room {
  readonly entries: number
  readonly bytes: number
  /** The answer ends with how long it took. */
  readonly timed: boolean
}

/** Answers that were asked for lately, by key: what nobody asks for again soon is not worth its memory. */
const LATELY = 256

/**
 * Sends an answer that is put together of kept parts again as it was. `make` is given what keeps it; undefined where that is not worth its
 * memory, or where what it is made of is not kept.
 */
export const sameAnswers =
  (name: string, { entries, bytes, timed }: Room) =>
  <R extends object>({ services: { caches }, request }: AskedRead, of: MadeOf | null, make: (keep: Keep | undefined) => R): R => {
    if (!of) return make(undefined)
    const { key, parts } = of
    const since = caches.now()
    const answers = caches.of<Kept>(name, entries, 'content', bytes)
    const earlier = answers.get(key, since)
    if (earlier?.parts.length === parts.length && earlier.parts.every((part, i) => part === parts[i]))
      return sentAgain(earlier.sent, timed ? secondsSince(request.startedAt) : null)
    const lately = caches.of<true>(`${name}-lately`, LATELY, 'content')
    if (lately.get(key, since) === undefined) {
      lately.set(key, true, [], since)
      return make(undefined)
    }
    // The parts are counted too, since they stay with it.
    return make((sent) => answers.set(key, { parts, sent }, [], since, null, 2 * sent.beginning.length))
  }
