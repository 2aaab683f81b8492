import type { ReadRequest } from '../core/context.ts'
import type { SerializedResponse } from './json-fragments.ts'

/** The cached parts of a response. While these are the same objects, the response is the same. */
export interface ResponseParts {
  readonly key: string
  readonly parts: readonly unknown[]
}

interface CacheEntry {
  readonly parts: readonly unknown[]
  readonly sent: SerializedResponse
}

interface Room {
  readonly entries: number
  readonly bytes: number
}

/** Recently requested responses by key; others are not worth their memory. */
const LATELY = 256

/**
 * Caches responses that consist of cached parts, or the beginnings of them. Without `of`, nothing is cached, because the parts are not
 * cached either.
 */
export const sharedResponseCache =
  (name: string, { entries, bytes }: Room) =>
  ({ services: { caches } }: ReadRequest, of: ResponseParts | null, make: () => SerializedResponse): SerializedResponse => {
    if (!of) return make()
    const { key, parts } = of
    const since = caches.revision()
    const answers = caches.of<CacheEntry>(name, entries, bytes)
    const earlier = answers.get(key, since)
    if (earlier?.parts.length === parts.length && earlier.parts.every((part, i) => part === parts[i])) return earlier.sent
    const sent = make()
    const lately = caches.of<true>(`${name}-lately`, LATELY)
    // Includes the size of the parts, because they stay with the response.
    if (lately.get(key, since)) answers.set(key, { parts, sent }, [], since, null, 2 * sent.beginning.length)
    else lately.set(key, true, [], since)
    return sent
  }
