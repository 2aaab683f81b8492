/** A setting of the transaction: the cache tags it has invalidated so far, one per line. */
export const CACHE_TAGS_SETTING = 'lyceum.cache_tags'
/** Instead of the tags: there are too many, or they are unknown. */
export const EVERYTHING = '*'

export const ENTER = 'insert into cache_invalidations (xid) values (pg_current_xact_id())'

/** Makes a transaction invalidate everything, so that its further changes need not record tags. */
export const INVALIDATE_EVERYTHING = `with entered as (${ENTER}) select set_config('${CACHE_TAGS_SETTING}', '${EVERYTHING}', true)`
