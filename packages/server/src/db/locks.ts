import { type Db, dialectOf } from './database.ts'
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

/** Whether nobody else writes during this transaction: what was read in it before a lock was taken is still so afterwards. */
export const writesAlone = (db: Db): boolean => dialectOf(db) === 'sqlite'

const KEEPABLE = ['feeds', 'comments', 'reactions'] as const
const keep = Object.fromEntries(
  KEEPABLE.map((table) => [table, statementOne<{ id: number }>(`select id from ${table} where id = $1 for key share`)]),
) as Record<(typeof KEEPABLE)[number], ReturnType<typeof statementOne<{ id: number }>>>

/**
 * Keeps a row from being deleted for the rest of the transaction, where it is there: whoever deletes it waits, and what he tells of it comes
 * after what is written here. Others may keep it too, and change it.
 */
export const keepRow = async (db: Db, table: (typeof KEEPABLE)[number], id: number): Promise<void> => {
  if (dialectOf(db) === 'postgres') await keep[table](db, [id])
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

const lockByName = statement('select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Waits for a named lock and holds it for the rest of the transaction, where there is no row that could be held instead. */
export const lockName = async (db: Db, name: string): Promise<void> => {
  if (dialectOf(db) === 'postgres') await lockByName(db, [name])
}

const tryLock = statementOne<{ locked: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked')

/** Takes a named lock until the end of the transaction; false when another transaction holds it. */
export const tryLockName = async (db: Db, name: string): Promise<boolean> =>
  dialectOf(db) === 'sqlite' || (await tryLock(db, [name]))?.locked === true
