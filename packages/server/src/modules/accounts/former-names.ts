import { createHash } from 'node:crypto'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { shift } from '../../platform/clock.ts'

/** How long nobody else may take a username that was given up: links and mentions of it must not lead to a stranger. */
export const NAME_RESERVED_S = 365 * 24 * 3600

/** Deleted people left nothing here that says what they were called. */
const hashOf = (username: string): string => createHash('sha256').update(username).digest('hex')

const put = statement(
  `insert into former_usernames (username_hash, user_id, until) values ($1, $2, $3)
   on conflict (username_hash) do update set user_id = excluded.user_id, until = excluded.until`,
)
const holderOf = statementOne<{ user_id: number | null }>('select user_id from former_usernames where username_hash = $1 and until > $2')
const drop = statement('delete from former_usernames where username_hash = $1')
const disown = statement('update former_usernames set user_id = null where user_id = $1')
const expired = statement<{ user_id: number | null }>('delete from former_usernames where until <= $1 returning user_id')

/** Reserves a username that its account no longer has; `userId` is null for a deleted account. */
export const reserveUsername = (db: Db, username: string, userId: number | null, now: string) =>
  put(db, [hashOf(username), userId, shift(now, NAME_RESERVED_S)])

/** Whether somebody else gave this username up lately. Asked behind the write that takes the name: it sees what was committed before. */
export const isReserved = async (db: Db, username: string, userId: number | null, now: string): Promise<boolean> => {
  const found = await holderOf(db, [hashOf(username), now])
  return found !== undefined && (found.user_id === null || found.user_id !== userId)
}

/** The account that was called so; null: none, or it was deleted. */
export const formerOwner = async (db: Db, username: string, now: string): Promise<number | null> =>
  (await holderOf(db, [hashOf(username), now]))?.user_id ?? null

/** The owner has taken the name back. */
export const releaseUsername = (db: Db, username: string) => drop(db, [hashOf(username)])

/** A deleted account owns its former names no more, and nobody else gets them either. */
export const disownUsernames = (db: Db, userId: number) => disown(db, [userId])

export const dropExpiredNames = (db: Db, now: string) => expired(db, [now])
