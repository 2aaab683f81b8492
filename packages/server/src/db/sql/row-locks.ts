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
 * Locks a row until the end of the transaction, to serialize changes of its counters and child rows. It does not block foreign key checks. To
 * prevent deadlocks, lock in the order user → group → space → feed → comment → topic → notification → course → lesson → enrolment → report, and
 * within a table by id. SQLite needs no locks, since it has a single writer.
 */
export const lockRow = async (db: Db, table: LockableTable, id: number): Promise<void> => {
  if (dialectOf(db) === 'postgres') await lock[table](db, [id])
}

const lockAll = Object.fromEntries(
  LOCKABLE.map((table) => [table, statement(`select id from ${table} where id = any($1::bigint[]) order by id for no key update`)]),
) as Record<LockableTable, ReturnType<typeof statement>>

/** Locks several rows of a table, in id order. */
export const lockRows = async (db: Db, table: LockableTable, ids: readonly number[]): Promise<void> => {
  if (dialectOf(db) === 'postgres' && ids.length > 0) await lockAll[table](db, [`{${ids.join()}}`])
}

/** Whether no other transaction can write during this one, so that data read before a lock are still current. */
export const isSingleWriter = (db: Db): boolean => dialectOf(db) === 'sqlite'

const keepCourse = statementOne<{ id: number }>('select id from courses where id = $1 for key share')

/**
 * Takes a shared lock that prevents the deletion of a course. Take it before writing rows that reference the course, and before locking its
 * lessons and enrolments, to prevent a deadlock with the deletion.
 */
export const lockCourseRowShared = async (db: Db, id: number): Promise<void> => {
  if (dialectOf(db) === 'postgres') await keepCourse(db, [id])
}

const lockInOrder = statement(`select id from users where id = any($1::bigint[]) order by id for no key update`)

/** Locks several users, in id order to prevent deadlocks. */
export const lockUsers = async (db: Db, ids: readonly number[]): Promise<void> => {
  if (dialectOf(db) === 'postgres') await lockInOrder(db, [`{${ids.join()}}`])
}

const lockFree = statement<{ id: number }>(`select id from users where id = any($1::bigint[]) order by id for no key update skip locked`)

/** Locks those users that are not locked, without waiting; returns their ids. */
export const lockUsersSkipLocked = async (db: Db, ids: readonly number[]): Promise<readonly number[]> =>
  dialectOf(db) === 'postgres' ? (await lockFree(db, [`{${ids.join()}}`])).map(({ id }) => id) : ids

const lockByName = statement('select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** Waits for an advisory lock with a name, until the end of the transaction; for cases without a row to lock. */
export const lockName = async (db: Db, name: string): Promise<void> => {
  if (dialectOf(db) === 'postgres') await lockByName(db, [name])
}

const tryLock = statementOne<{ locked: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked')

/** Takes an advisory lock with a name until the end of the transaction; false if another transaction has it. */
export const tryLockName = async (db: Db, name: string): Promise<boolean> =>
  dialectOf(db) === 'sqlite' || (await tryLock(db, [name]))?.locked === true
