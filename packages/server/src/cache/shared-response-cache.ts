import type { ReadRequest } from '../core/context.ts'
import type { SentAnswer } from './json-fragments.ts'

/** What an answer is made of, where that is kept: as long as these are the same objects, it is the same answer. */
export interface MadeOf {
  readonly key: string
  readonly parts: readonly unknown[]
}

interface CacheEntry {
  readonly parts: readonly unknown[]
  readonly sent: SentAnswer
}

interface Room {
  readonly entries: number
  readonly bytes: number
}

/** Answers that were asked for lately, by key: what nobody asks for again soon is not worth its memory. */
const LATELY = 256

/**
 * Keeps answers that are put together of kept parts, or the beginnings of them, to be sent again as they were. Without `of` nothing is kept,
 * for what it is made of is not kept either.
 */
export const sameAnswers =
  (name: string, { entries, bytes }: Room) =>
  ({ services: { caches } }: ReadRequest, of: MadeOf | null, make: () => SentAnswer): SentAnswer => {
    if (!of) return make()
    const { key, parts } = of
    const since = caches.now()
    const answers = caches.of<CacheEntry>(name, entries, bytes)
    const earlier = answers.get(key, since)
    if (earlier?.parts.length === parts.length && earlier.parts.every((part, i) => part === parts[i])) return earlier.sent
    const sent = make()
    const lately = caches.of<true>(`${name}-lately`, LATELY)
    // The parts are counted too, since they stay with it.
    if (lately.get(key, since)) answers.set(key, { parts, sent }, [], since, null, 2 * sent.beginning.length)
    else lately.set(key, true, [], since)
    return sent
  }
