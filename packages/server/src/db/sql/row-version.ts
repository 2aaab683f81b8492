import { type Db, dialectOf } from '../database.ts'

/**
 * SQL that changes with every change of the row of table `alias`: on PostgreSQL a row may have been found that was changed since changes were
 * looked for, so that what is kept of it is older. Null on SQLite, where nothing old is kept in the first place.
 */
export const rowVersion = (db: Db, alias: string): string => (dialectOf(db) === 'postgres' ? `${alias}.xmin::text` : 'null')
