import { CACHE_TAG_RULES, type CacheTagRule } from '../../server/src/db/changes/cache-tags.ts'
import { CODE, type Code } from '../../server/src/db/code/index.ts'

/** A possible next release: it tracks one more column, and its tables are unchanged. */
const rules: CacheTagRule[] = CACHE_TAG_RULES as CacheTagRule[]
rules.push({ table: 'users', on: ['update of location'], tags: { located: 'id' } })
const code: { -readonly [K in keyof Code]: Code[K] } = CODE
code.version += 1
if (process.argv[1] === import.meta.filename) await import('../../server/src/cli/main.ts')
