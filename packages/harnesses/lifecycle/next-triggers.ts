import { CACHE_TAG_RULES, type CacheTagRule } from '../../server/src/db/changes/cache-tags.ts'
import { CODE, type Code } from '../../server/src/db/code/index.ts'

/** Turns this process into a possible next release that tracks one more column, with unchanged tables; returns a function that undoes this. */
export const trackMore = (): (() => void) => {
  const rules: CacheTagRule[] = CACHE_TAG_RULES as CacheTagRule[]
  const code: { -readonly [K in keyof Code]: Code[K] } = CODE
  rules.push({ table: 'users', on: ['update of location'], tags: { located: 'id' } })
  code.version += 1
  return () => {
    rules.pop()
    code.version -= 1
  }
}
