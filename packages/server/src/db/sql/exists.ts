/**
 * SQL condition: the query, which selects 1, has a row. It avoids `exists`, which PostgreSQL evaluates inside `or` and `case` with a hashed
 * subplan over all rows instead of an index lookup per row.
 */
export const found = (query: string): string => `coalesce((${query} limit 1), 0) = 1`
