/**
 * SQL that holds where the query, which selects 1, has a row. Not “exists”: inside of “or” and “case” PostgreSQL would not look for each
 * row’s own, but gather once all that the subquery could be about, which takes the longer the more there is.
 */
export const found = (query: string): string => `coalesce((${query} limit 1), 0) = 1`
