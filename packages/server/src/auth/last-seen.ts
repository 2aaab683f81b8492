import { nowOf, shift } from '../core/clock.ts'
import type { Services, WriteContext } from '../core/context.ts'
import { batchStatement, DatabaseUnavailable, type Db, lockUsers, lockUsersSkipLocked } from '../db/index.ts'
import type { Writer } from '../jobs/index.ts'
import type { Identity } from './authenticate.ts'
import { SESSION_S } from './session.ts'

const FLUSH_MS = 5000
/** Minimum time between two records of the same credential; without it, each read would cause a write. */
const RECORD_EVERY_S = 60
/** In every time zone, days begin at a multiple of a quarter of an hour. */
const QUARTER_S = 900
/** The first use of a credential is flushed sooner, because members check whether today counts. */
const FLUSH_SOON_MS = 50
const MOST_REMEMBERED = 50_000
/** Maximum number of uses per transaction. It takes about as long as a few requests, and requests can run in between. */
const TOGETHER = 200

const quarterOf = (time: number) => Math.floor(time / (QUARTER_S * 1000))

const keyOf = ({ kind, credentialId }: CredentialUse) => `${kind}:${credentialId}`

/** Records the last use of credentials, the last activity of members, and an event for the first request of a member on a day. */
export const createLastSeenTracker = (services: Services, write: Writer, dayStarts: DayStarts) => {
  /** When a use of each credential was last recorded, in milliseconds. */
  const recorded: Readonly<Record<Identity['kind'], Map<number, number>>> = { session: new Map(), 'application-password': new Map() }
  let uses = new Map<string, CredentialUse>()
  let flushed = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let soon: NodeJS.Timeout | null = null

  const waitLonger = (part: readonly CredentialUse[]) => {
    for (const use of part) if (!uses.has(keyOf(use)) && uses.size < MOST_REMEMBERED) uses.set(keyOf(use), use)
  }

  /** Records uses one by one if they cannot be recorded together: accounts are locked, or one of the uses causes an error. */
  const recordSingly = (part: readonly CredentialUse[]) => recordInParts(part, 1)

  const record = async (part: readonly CredentialUse[]): Promise<void> => {
    try {
      await recordSingly(await write(null, (ctx) => recordCredentialUses(ctx, part, dayStarts)))
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      services.log.warn({ event: 'presence_record_failed', err: error, uses: part.length }, 'presence not recorded')
      if (part.length > 1) await recordSingly(part)
    }
  }

  /** If the database is unavailable, the remaining uses wait for the next flush. */
  const recordInParts = async (all: readonly CredentialUse[], size: number): Promise<void> => {
    for (let at = 0; at < all.length; at += size) {
      try {
        await record(all.slice(at, at + size))
      } catch (error) {
        waitLonger(all.slice(at))
        throw error
      }
    }
  }

  const recordAll = async () => {
    const waiting = [...uses.values()]
    uses = new Map()
    try {
      await recordInParts(waiting, TOGETHER)
    } catch (error) {
      services.log.warn({ event: 'presence_record_failed', err: error, uses: waiting.length }, 'presence not recorded')
    }
  }

  /** Flushes run one after the other, so the promise also covers uses that an earlier flush is recording. */
  const flush = (): Promise<void> => {
    flushed = flushed.then(recordAll)
    return flushed
  }

  const flushSoon = () => {
    if (!timer || soon) return
    soon = setTimeout(() => {
      soon = null
      void flush()
    }, FLUSH_SOON_MS).unref()
  }

  return {
    /** Registers a request; the write happens later. */
    seen: ({ actor, kind, credentialId }: Identity, ip: string) => {
      const known = recorded[kind]
      const time = services.clock.now().getTime()
      const last = known.get(credentialId)
      if (last !== undefined && time - last < RECORD_EVERY_S * 1000 && quarterOf(time) === quarterOf(last)) return
      if (known.size >= MOST_REMEMBERED) known.clear()
      known.set(credentialId, time)
      if (last === undefined) flushSoon()
      uses.set(`${kind}:${credentialId}`, { userId: actor.id, kind, credentialId, at: nowOf(services.clock), ip })
    },
    flush,
    start: () => {
      timer = setInterval(flush, FLUSH_MS).unref()
    },
    stop: async () => {
      if (timer) clearInterval(timer)
      timer = null
      if (soon) clearTimeout(soon)
      soon = null
      await flush()
    },
  }
}

export type LastSeenTracker = ReturnType<typeof createLastSeenTracker>

/** A use of a credential at a moment. */
interface CredentialUse {
  readonly userId: number
  readonly kind: Identity['kind']
  readonly credentialId: number
  readonly at: string
  readonly ip: string
}

/** Uses are recorded some seconds late and by several servers, so a recorded time may be slightly in the future. */
const AHEAD_S = 600

/** Returns a function that computes the start of the day of a datetime in the time zone of the community. */
type DayStarts = (db: Db) => Promise<(datetime: string) => string>

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
const newsOf = (uses: readonly CredentialUse[], before: ReadonlyMap<number, string | null>, startOfDay: (datetime: string) => string) => {
  const moved = new Map<number, string>()
  const first: CredentialUse[] = []
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
const recordCredentialUses = async (
  ctx: WriteContext,
  uses: readonly CredentialUse[],
  dayStarts: DayStarts,
): Promise<readonly CredentialUse[]> => {
  const { db } = ctx
  const people = [...new Set(uses.map(({ userId }) => userId))]
  // Another instance may record the first request of the day, too.
  if (uses.length === 1) await lockUsers(db, people)
  const free = new Set(uses.length === 1 ? people : await lockUsersSkipLocked(db, people))
  const mine = uses.filter(({ userId }) => free.has(userId))
  const ids = people.filter((id) => free.has(id))
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
