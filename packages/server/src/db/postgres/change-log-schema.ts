/** What a transaction has touched so far, a line each, in a setting that ends with it. */
export const TOUCHED = 'lyceum.cache_tags'
/** Instead of what was touched: it is too much to name, or not known. */
export const EVERYTHING = '*'

export const ENTER = 'insert into cache_invalidations (xid) values (pg_current_xact_id())'

/** The rest of a transaction need not say what it touches: it is noted as everything. */
export const TOUCH_EVERYTHING = `with entered as (${ENTER}) select set_config('${TOUCHED}', '${EVERYTHING}', true)`
