import { createHmac } from 'node:crypto'
import { shift } from '../../core/clock.ts'
import type { Services, WriteContext } from '../../core/context.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'
import { aliasOwner } from './imported-names.ts'

interface LookupContext {
  readonly db: Db
  readonly now: string
  readonly services: Pick<Services, 'keys'>
}

const DAY_S = 24 * 3600

/**
 * Keyed, so that the table cannot be searched for guessed names without the server's secret. Usernames of deleted accounts stay unreadable.
 */
const hashOf = ({ services }: Pick<LookupContext, 'services'>, username: string): string =>
  createHmac('sha256', services.keys.usernames).update(username).digest('base64url')

const insert = statement(
  `insert into former_usernames (username_hash, user_id, until) values ($1, $2, $3)
   on conflict (username_hash) do update set user_id = excluded.user_id, until = excluded.until`,
)
const holderOf = statementOne<{ user_id: number | null }>('select user_id from former_usernames where username_hash = $1 and until > $2')
const drop = statement('delete from former_usernames where username_hash = $1')
/** Detaches former usernames from a deleted account; they stay reserved. */
export const detachFormerUsernames = statement('update former_usernames set user_id = null where user_id = $1')

/** Reserves a username that its account gave up, for the configured number of days. `userId` is null for a deleted account. */
export const reserveUsername = async (ctx: Pick<WriteContext, 'db' | 'now' | 'services'>, username: string, userId: number | null) => {
  const { db, now } = ctx
  await releaseUsername(ctx, username)
  const { username_reservation_days: days } = await readSetting(db, 'limits')
  if (days > 0) await insert(db, [hashOf(ctx, username), userId, shift(now, days * DAY_S)])
}

/**
 * Whether another account gave this username up recently, or had it at an imported community. Call it after the write that takes the name, so that it sees every committed
 * reservation.
 */
export const isReserved = async (ctx: LookupContext, username: string, userId: number | null): Promise<boolean> => {
  const found = await holderOf(ctx.db, [hashOf(ctx, username), ctx.now])
  if (found !== undefined && (found.user_id === null || found.user_id !== userId)) return true
  const alias = await aliasOwner(ctx, username)
  return alias !== null && alias !== userId
}

/** The account that had this username, here or at an imported community; null if there is none or it was deleted. */
export const formerOwner = async (ctx: LookupContext, username: string): Promise<number | null> =>
  (await holderOf(ctx.db, [hashOf(ctx, username), ctx.now]))?.user_id ?? aliasOwner(ctx, username)

export const releaseUsername = (ctx: Omit<LookupContext, 'now'>, username: string) => drop(ctx.db, [hashOf(ctx, username)])
