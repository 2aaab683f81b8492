import { type Db, dialectOf } from '../database.ts'

/**
 * SQL of a version that changes with every update of a row. On PostgreSQL a query can find a row that was changed after the last poll for changes,
 * so its cache entry may be stale. Null on SQLite, where cache entries are never stale.
 */
export const rowVersion = (db: Db, alias: string): string => (dialectOf(db) === 'postgres' ? `${alias}.xmin::text` : 'null')
