import { nowOf } from '../core/clock.ts'
import type { Services } from '../core/context.ts'
import { DatabaseUnavailable } from '../db/index.ts'
import type { Writer } from '../jobs/index.ts'
import type { Identity } from './authenticate.ts'
import { type DayStarts, recordUses, type Use } from './last-seen-store.ts'

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

const keyOf = ({ kind, credentialId }: Use) => `${kind}:${credentialId}`

/** Records the last use of credentials, the last activity of members, and an event for the first request of a member on a day. */
export const createPresence = (services: Services, write: Writer, dayStarts: DayStarts) => {
  /** When a use of each credential was last recorded, in milliseconds. */
  const recorded: Readonly<Record<Identity['kind'], Map<number, number>>> = { session: new Map(), 'application-password': new Map() }
  let uses = new Map<string, Use>()
  let flushed = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let soon: NodeJS.Timeout | null = null

  const waitLonger = (part: readonly Use[]) => {
    for (const use of part) if (!uses.has(keyOf(use)) && uses.size < MOST_REMEMBERED) uses.set(keyOf(use), use)
  }

  /** Records uses one by one if they cannot be recorded together: accounts are locked, or one of the uses causes an error. */
  const recordSingly = (part: readonly Use[]) => recordInParts(part, 1)

  const record = async (part: readonly Use[]): Promise<void> => {
    try {
      await recordSingly(await write(null, (ctx) => recordUses(ctx, part, dayStarts)))
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      services.log.warn({ event: 'presence_record_failed', err: error, uses: part.length }, 'presence not recorded')
      if (part.length > 1) await recordSingly(part)
    }
  }

  /** If the database is unavailable, the remaining uses wait for the next flush. */
  const recordInParts = async (all: readonly Use[], size: number): Promise<void> => {
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
    }, FLUSH_SOON_MS)
    soon.unref()
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
      timer = setInterval(flush, FLUSH_MS)
      timer.unref()
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

export type Presence = ReturnType<typeof createPresence>
