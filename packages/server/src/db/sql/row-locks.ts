import { type Db, dialectOf } from '../database.ts'
import { statement, statementOne } from './statement.ts'

const LOCKABLE = [
  'users',
  'space_groups',
  'spaces',
  'feeds',
  'comments',
  'topics',
  'notifications',
  'courses',
  'lessons',
  'enrolments',
  'webhooks',
  'reports',
] as const
export type LockableTable = (typeof LOCKABLE)[number]

const lock = Object.fromEntries(
  LOCKABLE.map((table) => [table, statementOne<{ id: number }>(`select id from ${table} where id = $1 for no key update`)]),
) as Record<LockableTable, ReturnType<typeof statementOne<{ id: number }>>>

/**
 * Holds a row for the rest of the transaction, so that its counters and what hangs on it change one after the other.
 * Foreign-key checks of other transactions are not held up by it. Take locks in the order user → group → space → feed → comment → topic
 * → notification → course → lesson → enrolment → report, within a table in the order of ids. SQLite has one writer at a time anyway.
 */
export const lockRow = async (db: Db, table: LockableTable, id: number): Promise<void> => {
  if (dialectOf(db) === 'postgres') await lock[table](db, [id])
}

const lockAll = Object.fromEntries(
  LOCKABLE.map((table) => [table, statement(`select id from ${table} where id = any($1::bigint[]) order by id for no key update`)]),
) as Record<LockableTable, ReturnType<typeof statement>>

/** The same for several rows of a table, in the order of their ids. */
export const lockRows = async (db: Db, table: LockableTable, ids: readonly number[]): Promise<void> => {
  if (dialectOf(db) === 'postgres' && ids.length > 0) await lockAll[table](db, [`{${ids.join()}}`])
}

/** Whether nobody else writes during this transaction: what was read in it before a lock was taken is still so afterwards. */
export const isSingleWriter = (db: Db): boolean => dialectOf(db) === 'sqlite'

const KEEPABLE = ['feeds', 'comments', 'reactions'] as const
const keepAll = Object.fromEntries(
  KEEPABLE.map((table) => [table, statement(`select id from ${table} where id = any($1::bigint[]) order by id for key share`)]),
) as Record<(typeof KEEPABLE)[number], ReturnType<typeof statement>>

/**
 * Keeps rows from being deleted for the rest of the transaction, where they are there: whoever deletes one waits, and what he tells of it comes
 * after what is written here. Others may keep them too, and change them.
 */
export const lockRowsShared = async (db: Db, table: (typeof KEEPABLE)[number], ids: readonly number[]): Promise<void> => {
  if (dialectOf(db) === 'postgres' && ids.length > 0) await keepAll[table](db, [`{${ids.join()}}`])
}

const keepCourse = statementOne<{ id: number }>('select id from courses where id = $1 for key share')

/**
 * Keeps a course from being deleted for the rest of the transaction; others may keep it too, or hold it. Whoever writes what refers to a
 * course takes it before the lesson and the enrolment: else he asks for it while its deletion, which has it, waits for them.
 */
export const keepCourseRow = async (db: Db, id: number): Promise<void> => {
  if (dialectOf(db) === 'postgres') await keepCourse(db, [id])
}

const lockUsers = statement(`select id from users where id = any($1::bigint[]) order by id for no key update`)

/** The same for several people at once, in the order of their ids: whoever holds two of them never waits for who holds the other. */
export const lockPeople = async (db: Db, ids: readonly number[]): Promise<void> => {
  if (dialectOf(db) === 'postgres') await lockUsers(db, [`{${ids.join()}}`])
}

const lockFree = statement<{ id: number }>(`select id from users where id = any($1::bigint[]) order by id for no key update skip locked`)

/** The same for those of them whom nobody else holds at present, without waiting; gives their ids. */
export const lockFreePeople = async (db: Db, ids: readonly number[]): Promise<readonly number[]> =>
  dialectOf(db) === 'postgres' ? (await lockFree(db, [`{${ids.join()}}`])).map(({ id }) => id) : ids

const lockByName = statement('select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Waits for a named lock and holds it for the rest of the transaction, where there is no row that could be held instead. */
export const lockName = async (db: Db, name: string): Promise<void> => {
  if (dialectOf(db) === 'postgres') await lockByName(db, [name])
}

const tryLock = statementOne<{ locked: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked')

/** Takes a named lock until the end of the transaction; false when another transaction holds it. */
export const tryLockName = async (db: Db, name: string): Promise<boolean> =>
  dialectOf(db) === 'sqlite' || (await tryLock(db, [name]))?.locked === true
