import { createHash, createHmac } from 'node:crypto'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { nowOf, shift } from '../../platform/clock.ts'
import type { Services, WriteContext } from '../../platform/context.ts'
import { readSetting } from '../settings/index.ts'

/** What a look-up needs; `services` holds the key. */
interface Looking {
  readonly db: Db
  readonly now: string
  readonly services: Pick<Services, 'keys'>
}
type Keyed = Pick<Looking, 'services'>

const DAY_S = 24 * 3600
const ROWS = 200
/** Rows of earlier versions hold the unkeyed hash in hex; a keyed one is shorter. */
const UNKEYED_LENGTH = 64

const unkeyed = (username: string): string => createHash('sha256').update(username).digest('hex')
const keyed = ({ services }: Keyed, hash: string): string => createHmac('sha256', services.keys.usernames).update(hash).digest('base64url')

/**
 * The hashes under which a username may be stored. Deleted accounts leave no username here, and nobody without the server's secret can try
 * names against the table. The key is applied to the unkeyed hash, so that rows of earlier versions can be converted.
 */
const hashesOf = (ctx: Keyed, username: string): readonly [keyed: string, unkeyed: string] => {
  const plain = unkeyed(username)
  return [keyed(ctx, plain), plain]
}

const put = statement(
  `insert into former_usernames (username_hash, user_id, until) values ($1, $2, $3)
   on conflict (username_hash) do update set user_id = excluded.user_id, until = excluded.until`,
)
const holderOf = statementOne<{ user_id: number | null }>(
  'select user_id from former_usernames where username_hash in ($1, $2) and until > $3 order by until desc limit 1',
)
const drop = statement('delete from former_usernames where username_hash in ($1, $2)')
const disown = statement('update former_usernames set user_id = null where user_id = $1')
const expired = statement<{ user_id: number | null }>('delete from former_usernames where until <= $1 returning user_id')
const unconverted = statement<{ username_hash: string; user_id: number | null; until: string }>(
  'select username_hash, user_id, until from former_usernames where length(username_hash) = $1 limit $2',
)
const convert = statement(
  `insert into former_usernames (username_hash, user_id, until) values ($1, $2, $3)
   on conflict (username_hash) do nothing`,
)
const dropOne = statement('delete from former_usernames where username_hash = $1')

/** Reserves a username that its account no longer has, for as long as the setting says; `userId` is null for a deleted account. */
export const reserveUsername = async (ctx: Pick<WriteContext, 'db' | 'now' | 'services'>, username: string, userId: number | null) => {
  const { db, now } = ctx
  await releaseUsername(ctx, username)
  const { username_reservation_days: days } = await readSetting(db, 'limits')
  if (days > 0) await put(db, [hashesOf(ctx, username)[0], userId, shift(now, days * DAY_S)])
}

/** Whether somebody else gave this username up lately. Asked behind the write that takes the name: it sees what was committed before. */
export const isReserved = async (ctx: Looking, username: string, userId: number | null): Promise<boolean> => {
  const found = await holderOf(ctx.db, [...hashesOf(ctx, username), ctx.now])
  return found !== undefined && (found.user_id === null || found.user_id !== userId)
}

/** The account that was called so; null: none, or it was deleted. */
export const formerOwner = async (ctx: Looking, username: string): Promise<number | null> =>
  (await holderOf(ctx.db, [...hashesOf(ctx, username), ctx.now]))?.user_id ?? null

/** The owner has taken the name back. */
export const releaseUsername = (ctx: Omit<Looking, 'now'>, username: string) => drop(ctx.db, hashesOf(ctx, username))

/** A deleted account owns its former names no more, and nobody else gets them either. */
export const disownUsernames = (db: Db, userId: number) => disown(db, [userId])

/** Ends reservations that are over and keys hashes that an earlier version stored; how many rows it changed. */
export const tidyFormerNames = (services: Pick<Services, 'keys' | 'database' | 'clock'>): Promise<number> =>
  services.database.write(async (db) => {
    const ended = await expired(db, [nowOf(services.clock)])
    const old = await unconverted(db, [UNKEYED_LENGTH, ROWS])
    for (const { username_hash, user_id, until } of old) {
      await convert(db, [keyed({ services }, username_hash), user_id, until])
      await dropOne(db, [username_hash])
    }
    return ended.length + old.length
  })
