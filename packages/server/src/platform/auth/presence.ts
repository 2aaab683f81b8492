import { type Db, lockRow, statement, statementOne } from '../../db/index.ts'
import { nowOf, shift } from '../clock.ts'
import type { Services } from '../context.ts'
import type { Writer } from '../jobs/index.ts'
import type { Identity } from './identify.ts'
import { SESSION_S } from './session.ts'

const FLUSH_MS = 5000
/** A use is recorded once in this time; more would be a write for every read. */
const RECORD_EVERY_S = 60
/** Days begin at a quarter of an hour in every time zone. */
const QUARTER_S = 900
/** Who comes anew is recorded sooner: people look whether their day counts. */
const FLUSH_SOON_MS = 50
const MOST_REMEMBERED = 50_000

interface Use {
  readonly userId: number
  readonly kind: Identity['kind']
  readonly credentialId: number
  readonly at: string
  readonly ip: string
}

const lastActivity = statementOne<{ last_activity: string | null }>(`select last_activity from users where id = $1 and status <> 'deleted'`)
const touchUser = statement(
  `update users set last_activity = $2 where id = $1 and status <> 'deleted' and (last_activity is null or last_activity < $2)`,
)
const touchPassword = statement('update application_passwords set last_used_at = $2, last_ip = $3 where id = $1')
const touchSession = statement('update sessions set last_used_at = $2, ip = $3, expires_at = $4 where id = $1')

const quarterOf = (time: number) => Math.floor(time / (QUARTER_S * 1000))

/** The day of a moment, as the clocks of the community have it. */
type DayOf = (db: Db, datetime: string) => Promise<string>

/** Records who was here: last use of a credential, last activity of a person, and the first request of a day as an event. */
export const createPresence = (services: Services, write: Writer, dayOf: DayOf) => {
  /** When a use of each credential was last recorded, in milliseconds. */
  const recorded: Readonly<Record<Identity['kind'], Map<number, number>>> = { session: new Map(), 'application-password': new Map() }
  let uses = new Map<string, Use>()
  let timer: NodeJS.Timeout | null = null
  let soon: NodeJS.Timeout | null = null

  const record = ({ userId, kind, credentialId, at, ip }: Use) =>
    write(userId, async (ctx) => {
      // Another instance may record the first request of the day as well.
      await lockRow(ctx.db, 'users', userId)
      const before = await lastActivity(ctx.db, [userId])
      if (!before) return
      await touchUser(ctx.db, [userId, at])
      if (kind === 'session') await touchSession(ctx.db, [credentialId, at, ip, shift(at, SESSION_S)])
      else await touchPassword(ctx.db, [credentialId, at, ip])
      const last = before.last_activity
      if (last === null || (last < at && (await dayOf(ctx.db, last)) !== (await dayOf(ctx.db, at))))
        await ctx.emit('user.active', { user_id: userId, seen_at: at })
    })

  const flush = async () => {
    const waiting = [...uses.values()]
    uses = new Map()
    const lane = async () => {
      for (let use = waiting.shift(); use; use = waiting.shift()) await record(use)
    }
    await Promise.all(Array.from({ length: services.database.concurrentWrites }, lane))
  }

  const flushSafely = () => flush().catch((error) => services.log.warn({ err: error }, 'presence was not recorded'))

  const flushSoon = () => {
    if (!timer || soon) return
    soon = setTimeout(() => {
      soon = null
      void flushSafely()
    }, FLUSH_SOON_MS)
    soon.unref()
  }

  return {
    /** Notes one request; costs no write by itself. */
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
    flush: flushSafely,
    start: () => {
      timer = setInterval(flushSafely, FLUSH_MS)
      timer.unref()
    },
    stop: async () => {
      if (timer) clearInterval(timer)
      timer = null
      if (soon) clearTimeout(soon)
      soon = null
      await flushSafely()
    },
  }
}

export type Presence = ReturnType<typeof createPresence>
