import { createHmac } from 'node:crypto'
import { nowOf, shift } from '../../core/clock.ts'
import type { Services, WriteContext } from '../../core/context.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'

/** What a look-up needs; `services` holds the key. */
interface Looking {
  readonly db: Db
  readonly now: string
  readonly services: Pick<Services, 'keys'>
}

const DAY_S = 24 * 3600

/** Keyed, so that nobody without the server's secret can try names against the table. Deleted accounts leave no username here. */
const hashOf = ({ services }: Pick<Looking, 'services'>, username: string): string =>
  createHmac('sha256', services.keys.usernames).update(username).digest('base64url')

const put = statement(
  `insert into former_usernames (username_hash, user_id, until) values ($1, $2, $3)
   on conflict (username_hash) do update set user_id = excluded.user_id, until = excluded.until`,
)
const holderOf = statementOne<{ user_id: number | null }>('select user_id from former_usernames where username_hash = $1 and until > $2')
const drop = statement('delete from former_usernames where username_hash = $1')
const disown = statement('update former_usernames set user_id = null where user_id = $1')
const expired = statement<{ user_id: number | null }>('delete from former_usernames where until <= $1 returning user_id')

/** Reserves a username that its account no longer has, for as long as the setting says; `userId` is null for a deleted account. */
export const reserveUsername = async (ctx: Pick<WriteContext, 'db' | 'now' | 'services'>, username: string, userId: number | null) => {
  const { db, now } = ctx
  await releaseUsername(ctx, username)
  const { username_reservation_days: days } = await readSetting(db, 'limits')
  if (days > 0) await put(db, [hashOf(ctx, username), userId, shift(now, days * DAY_S)])
}

/** Whether somebody else gave this username up lately. Asked behind the write that takes the name: it sees what was committed before. */
export const isReserved = async (ctx: Looking, username: string, userId: number | null): Promise<boolean> => {
  const found = await holderOf(ctx.db, [hashOf(ctx, username), ctx.now])
  return found !== undefined && (found.user_id === null || found.user_id !== userId)
}

/** The account that was called so; null: none, or it was deleted. */
export const formerOwner = async (ctx: Looking, username: string): Promise<number | null> =>
  (await holderOf(ctx.db, [hashOf(ctx, username), ctx.now]))?.user_id ?? null

/** The owner has taken the name back. */
export const releaseUsername = (ctx: Omit<Looking, 'now'>, username: string) => drop(ctx.db, [hashOf(ctx, username)])

/** A deleted account owns its former names no more, and nobody else gets them either. */
export const disownUsernames = (db: Db, userId: number) => disown(db, [userId])

/** Ends reservations that are over; how many. */
export const endReservations = ({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<number> =>
  database.write(async (db) => (await expired(db, [nowOf(clock)])).length)
