import { type Db, dialectOf } from '../database.ts'
import { runText, statement, statementOne, statementValues } from './statement.ts'

/** Tables whose rows are locked, in the order in which to lock them. */
export type LockableTable =
  | 'users'
  | 'space_groups'
  | 'spaces'
  | 'feeds'
  | 'comments'
  | 'topics'
  | 'notifications'
  | 'courses'
  | 'lessons'
  | 'enrolments'
  | 'webhooks'
  | 'reports'

/** `key share` only waits for, and only blocks, `update` and deletions; it lets counters change. */
export type LockMode = 'no key update' | 'key share'

/** Locks rows in id order. SQLite needs no locks, since it has a single writer. */
const lock = async (db: Db, table: LockableTable, ids: readonly number[], mode: LockMode) => {
  if (dialectOf(db) === 'postgres' && ids.length > 0)
    await runText(db, `select id from ${table} where id = any($1::bigint[]) order by id for ${mode}`, [`{${ids.join()}}`])
}

/**
 * Locks a row until the end of the transaction, to serialize changes of its counters and child rows. It does not block foreign key checks. To
 * prevent deadlocks, lock in the order user → group → space → feed → comment → topic → notification → course → lesson → enrolment → report, and
 * within a table by id.
 */
export const lockRow = async (db: Db, table: LockableTable, id: number): Promise<void> => {
  if (dialectOf(db) === 'postgres') await runText(db, `select id from ${table} where id = $1 for no key update`, [id])
}

export const lockRows = (db: Db, table: LockableTable, ids: readonly number[]): Promise<void> => lock(db, table, ids, 'no key update')

export const lockUsers = (db: Db, ids: readonly number[]): Promise<void> => lockRows(db, 'users', ids)

/** Whether no other transaction can write during this one, so that data read before a lock are still current. */
export const isSingleWriter = (db: Db): boolean => dialectOf(db) === 'sqlite'

/**
 * Takes a shared lock that prevents the deletion of a course. Take it before writing rows that reference the course, and before locking its
 * lessons and enrolments, to prevent a deadlock with the deletion.
 */
export const lockCourseRowShared = (db: Db, id: number): Promise<void> => lock(db, 'courses', [id], 'key share')

const lockFree = statementValues<number>(`select id from users where id = any($1::bigint[]) order by id for no key update skip locked`)

/** Locks those users that are not locked, without waiting; returns their ids. */
export const lockUsersSkipLocked = async (db: Db, ids: readonly number[]): Promise<readonly number[]> =>
  dialectOf(db) === 'postgres' ? lockFree(db, [`{${ids.join()}}`]) : ids

const lockByName = statement('select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Waits for an advisory lock with a name, until the end of the transaction; for cases without a row to lock. */
export const lockName = async (db: Db, name: string): Promise<void> => {
  if (dialectOf(db) === 'postgres') await lockByName(db, [name])
}

const tryLock = statementOne<{ locked: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked')

/** Takes an advisory lock with a name until the end of the transaction; false if another transaction has it. */
export const tryLockName = async (db: Db, name: string): Promise<boolean> =>
  dialectOf(db) === 'sqlite' || (await tryLock(db, [name]))?.locked === true
