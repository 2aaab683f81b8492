import type { Caches } from '../../cache/index.ts'
import type { Database } from '../../db/index.ts'
import type { Limits } from '../../limits/budgets.ts'
import { readSetting } from './repository.ts'

/** Maximum age of the limits, in milliseconds, for callers without a cache revision. */
const FRESH_MS = 5000

/** Reads the limits, cached until the setting changes, so that writes need no extra query. */
export const limitsReader = (database: Database, caches: Caches) => {
  let last: { readonly limits: Limits; readonly until: number } | null = null
  return (since: number): Limits | Promise<Limits> => {
    const kept = caches.of<Limits>('limits', 1)
    const known = kept.get('', since)
    if (known) return known
    if (!caches.atRevision(since).isUsable() && last && last.until > performance.now()) return last.limits
    return readSetting(database.read, 'limits').then((limits) => {
      kept.set('', limits, ['setting:limits'], since)
      last = { limits, until: performance.now() + FRESH_MS }
      return limits
    })
  }
}
