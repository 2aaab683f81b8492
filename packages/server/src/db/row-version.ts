import { type Db, dialectOf } from './database.ts'

/**
 * SQL that changes with every change of the row of table `alias`, for what is kept of it where changes are told late (PostgreSQL); null on
 * SQLite, where nothing old is kept in the first place.
 */
export const rowVersion = (db: Db, alias: string): string => (dialectOf(db) === 'postgres' ? `${alias}.xmin::text` : 'null')
