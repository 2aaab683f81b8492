import { shift } from '../core/clock.ts'
import type { WriteContext } from '../core/context.ts'
import { batchStatement, type Db, lockFreePeople, lockPeople } from '../db/index.ts'
import type { Identity } from './authenticate.ts'
import { SESSION_S } from './session.ts'

/** A use of a credential at a moment. */
export interface Use {
  readonly userId: number
  readonly kind: Identity['kind']
  readonly credentialId: number
  readonly at: string
  readonly ip: string
}

/** Uses are recorded some seconds late and by several servers, so a recorded time may be slightly in the future. */
const AHEAD_S = 600

/** Returns a function that computes the start of the day of a datetime in the time zone of the community. */
export type DayStarts = (db: Db) => Promise<(datetime: string) => string>

const lastActivities = batchStatement<{ id: number; last_activity: string | null }>(
  { id: 'bigint' },
  (rows) => `select u.id, u.last_activity from ${rows} d join users u on u.id = d.id where u.status <> 'deleted'`,
)
const touchUsers = batchStatement(
  { id: 'bigint', at: 'text' },
  (rows) => `update users set last_activity = d.at from ${rows} d where users.id = d.id`,
)
const touchPasswords = batchStatement(
  { id: 'bigint', at: 'text', ip: 'text' },
  (rows) => `update application_passwords set last_used_at = d.at, last_ip = d.ip from ${rows} d where application_passwords.id = d.id`,
)
const touchSessions = batchStatement(
  { id: 'bigint', at: 'text', ip: 'text', until: 'text' },
  (rows) => `update sessions set last_used_at = d.at, ip = d.ip, expires_at = d.until from ${rows} d where sessions.id = d.id`,
)

/**
 * Computes the activity times that move forward and the uses that are the first of a member on a day. `before` contains only existing
 * accounts.
 */
const newsOf = (uses: readonly Use[], before: ReadonlyMap<number, string | null>, startOfDay: (datetime: string) => string) => {
  const moved = new Map<number, string>()
  const first: Use[] = []
  const starts = new Map<string, string>()
  for (const use of uses) {
    const { userId, at } = use
    const known = moved.get(userId) ?? before.get(userId) ?? null
    // A time far in the future comes from a clock that has since been corrected.
    const last = known !== null && known > shift(at, AHEAD_S) ? null : known
    if (last !== null && last >= at) continue
    moved.set(userId, at)
    const start = starts.get(at) ?? startOfDay(at)
    starts.set(at, start)
    if (last === null || last < start) first.push(use)
  }
  return { moved, first }
}

/**
 * Records uses of different credentials in this transaction with a few statements. Skips accounts that another transaction has locked and
 * returns their uses. Waits for the lock only if there is a single use: a batch must not hold many locks while it waits for one.
 */
export const recordUses = async (ctx: WriteContext, uses: readonly Use[], dayStarts: DayStarts): Promise<readonly Use[]> => {
  const { db } = ctx
  const people = [...new Set(uses.map(({ userId }) => userId))]
  // Another instance may record the first request of the day, too.
  if (uses.length === 1) await lockPeople(db, people)
  const free = new Set(uses.length === 1 ? people : await lockFreePeople(db, people))
  const mine = uses.filter(({ userId }) => free.has(userId))
  const ids = people.filter((id) => free.has(id)).map((id) => [id])
  const before = new Map((await lastActivities(db, ids)).map((row) => [row.id, row.last_activity]))
  const known = mine.filter(({ userId }) => before.has(userId)).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const { moved, first } = newsOf(known, before, await dayStarts(db))
  const { session = [], 'application-password': password = [] } = Object.groupBy(known, ({ kind }) => kind)
  if (moved.size > 0) await touchUsers(db, [...moved])
  const sessions = session.map(({ credentialId, at, ip }) => [credentialId, at, ip, shift(at, SESSION_S)])
  if (sessions.length > 0) await touchSessions(db, sessions)
  const passwords = password.map(({ credentialId, at, ip }) => [credentialId, at, ip])
  if (passwords.length > 0) await touchPasswords(db, passwords)
  await ctx.emitEach(
    'user.active',
    first.map(({ userId, at }) => ({ actorId: userId, payload: { user_id: userId, seen_at: at } })),
  )
  return uses.filter(({ userId }) => !free.has(userId))
}
