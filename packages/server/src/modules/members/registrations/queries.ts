import { type Db, statement, statementOne } from '../../../db/index.ts'

export interface PendingRegistration {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly status: 'pending' | 'unverified'
  readonly created_at: string
}

/** Unconfirmed accounts do not have their requested username and email yet. */
const COLUMNS = `u.id, coalesce(s.username, u.username) as username, u.display_name, coalesce(s.email, u.email) as email, u.status, u.created_at`
const FROM = 'from users u left join signups s on s.user_id = u.id'

// The first condition makes the partial index of inactive accounts usable.
const list = statement<PendingRegistration>(
  `select ${COLUMNS} ${FROM} where u.status <> 'active' and u.status = $1 order by u.created_at, u.id limit $2 offset $3`,
)
export const listWaiting = (db: Db, status: PendingRegistration['status'], { limit, offset }: { limit: number; offset: number }) =>
  list(db, [status, limit, offset])

const count = statementOne<{ n: number }>(`select count(*) as n from users where status <> 'active' and status = $1`)
export const countWaiting = async (db: Db, status: PendingRegistration['status']) => (await count(db, [status]))?.n ?? 0

const byId = statementOne<PendingRegistration>(`select ${COLUMNS} ${FROM} where u.id = $1 and u.status in ('pending', 'unverified')`)
/** The account with that id, if its registration is pending. */
export const waitingById = (db: Db, userId: number) => byId(db, [userId])

const activate = statement(`update users set status = 'active', updated_at = $2 where id = $1`)
export const activateAccount = (db: Db, userId: number, now: string) => activate(db, [userId, now])

const removeTokens = statement('delete from tokens where user_id = $1')
const remove = statement(`delete from users where id = $1 and status in ('pending', 'unverified')`)
/** A pending account has no other dependent rows. */
export const removeWaiting = async (db: Db, userId: number) => {
  await removeTokens(db, [userId])
  await remove(db, [userId])
}

const removeStale = statement<{ id: number }>(
  `delete from users where id in (
     select id from users where status <> 'active' and status = 'unverified' and created_at < $1 order by created_at limit 500
   ) and status = 'unverified' returning id`,
)
/** Deletes at most 500 accounts whose address was not confirmed since that time. Returns how many. */
export const removeUnverified = async (db: Db, before: string) => (await removeStale(db, [before])).length
