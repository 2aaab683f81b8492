import { type CacheContext, cached } from './cached.ts'
import { defineCache } from './definition.ts'
import type { SerializedResponse } from './json-fragments.ts'
import type { Track } from './track.ts'

/** Response bodies that are the same for many callers. Their compressed forms stay with them. */
const responses = defineCache<SerializedResponse>({
  name: 'shared-responses',
  maxEntries: 6000,
  maxBytes: 40 * 2 ** 20,
  weigh: ({ beginning }) => 2 * beginning.length,
})

/** A response body. The key identifies the items and the caller's own fields in them; the values that `make` uses are cached as well. */
export const sharedResponse = (
  ctx: CacheContext,
  key: string,
  make: (track: Track) => Promise<SerializedResponse>,
): SerializedResponse | Promise<SerializedResponse> => cached(ctx, responses, key, make)
