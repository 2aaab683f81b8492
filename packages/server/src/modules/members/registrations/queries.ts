import type { Infer, Registration } from '@lyceum/contract'
import { batchStatement, type Db, type PageWindow, selectPage, statement, statementOne, statementRowCount } from '../../../db/index.ts'

export type PendingRegistration = Infer<typeof Registration>

/** Unconfirmed accounts do not have their requested username and email yet. */
const COLUMNS = `u.id, coalesce(s.username, u.username) as username, u.display_name, coalesce(s.email, u.email) as email, u.status, u.created_at`
const SIGNUP = 'left join signups s on s.user_id = u.id'

export const listWaiting = (db: Db, status: PendingRegistration['status'], page: PageWindow) =>
  selectPage<PendingRegistration>(
    db,
    {
      columns: COLUMNS,
      tables: 'users u',
      joins: SIGNUP,
      // The first condition makes the partial index of inactive accounts usable.
      where: (p) => `u.status <> 'active' and u.status = ${p(status)}`,
      order: 'u.created_at, u.id',
    },
    page,
  )

export const waitingById = statementOne<PendingRegistration>(
  `select ${COLUMNS} from users u ${SIGNUP} where u.id = $1 and u.status in ('pending', 'unverified')`,
)

/** Like `waitingById` for many accounts. */
export const waitingByIds = batchStatement<PendingRegistration>(
  { id: 'bigint' },
  (rows) => `select ${COLUMNS} from ${rows} d join users u on u.id = d.id ${SIGNUP} where u.status in ('pending', 'unverified')`,
)

const removeTokens = statement('delete from tokens where user_id = $1')
const remove = statement(`delete from users where id = $1 and status in ('pending', 'unverified')`)
/** A pending account has no other dependent rows. */
export const removeWaiting = async (db: Db, userId: number) => {
  await removeTokens(db, [userId])
  await remove(db, [userId])
}

/** Deletes at most 500 accounts whose address was not confirmed since that time. Returns how many. */
export const removeUnverified = statementRowCount(
  `delete from users where id in (
     select id from users where status <> 'active' and status = 'unverified' and created_at < $1 order by created_at limit 500
   ) and status = 'unverified' returning id`,
)
