import { randomUUID } from 'node:crypto'
import type { ChangeListener, Database, Following } from '../../db/index.ts'
import { createAcknowledged } from './acknowledged.ts'
import { CHANNEL, createHearing, GRACE_MS, type Hearing, type Message, messageOf } from './hearing.ts'
import { createOutbox, EVERYTHING } from './outbox.ts'
import type { RedisSignals, Signals } from './signals.ts'

const PING_MS = 300
/** Until then everybody has heard that this process is there, or knows that he hears badly. */
const ASK_MS = 1500
/** Who said something is remembered for longer than a silence that he may keep. */
const REMEMBERED_MS = 2 * GRACE_MS
/** Another one who is silent for so long may have died between a commit and telling of it. */
const LOST_AFTER_MS = 2500

/** What this process hears through; `none`: not enough to rely on. */
type Mode = 'redis' | 'database' | 'none'

export interface Changes {
  /** Tells `listener` what anybody commits: here at once, elsewhere soon after. */
  follow(listener: ChangeListener): Following | null
  /** Tells the others what is still to be told. */
  close(): Promise<void>
}

/**
 * Carries what commits changed between the processes of a PostgreSQL database. Redis carries it where it is configured; whom Redis does not
 * hear, and who does not hear Redis, speaks and listens through the database (ADR 0025). On SQLite the database itself tells everything.
 */
export const createChanges = (database: Database, viaDatabase: Signals, viaRedis: RedisSignals | null): Changes => {
  const self = randomUUID()
  const acknowledged = viaRedis && createAcknowledged(viaRedis, messageOf(self, 'changed', EVERYTHING))
  let listener: ChangeListener | null = null
  let hearings: { readonly database: Hearing; readonly redis: Hearing | null } | null = null
  let mode: Mode = 'none'
  let timer: NodeJS.Timeout | null = null
  let lastTick = 0
  /** When each other process was heard last, and until when somebody may listen, or listen to the database alone. */
  const others = new Map<string, number>()
  let heededUntil = 0
  let askedUntil = 0

  /** Whether somebody may rely on what comes through the database, as far as this process knows. */
  const isDatabaseHeeded = () => !viaRedis || acknowledged?.isFailing() || !hearings?.database.isFresh() || performance.now() < askedUntil

  const isAlone = () =>
    hearings !== null && performance.now() > heededUntil && hearings.database.isFresh() && (hearings.redis?.isFresh() ?? true)

  const say = async (texts: readonly string[]) => {
    const both = isDatabaseHeeded()
    const [taken] = await Promise.all([acknowledged?.say(texts) ?? false, both && viaDatabase.say(CHANNEL, texts)])
    if (!taken && !both) await viaDatabase.say(CHANNEL, texts)
  }

  /** Whether the others wait for more from this process. */
  let known = false
  const outbox = createOutbox(async (texts) => {
    if (isAlone()) return
    known = true
    await say(texts.map((text) => messageOf(self, 'changed', text)))
  })

  database.onCommit((touched) => {
    listener?.(touched)
    outbox.add(touched)
  })

  const lost = () => listener?.('everything')

  const hear = ({ from, kind, text }: Message) => {
    const now = performance.now()
    if (kind === 'bye') {
      others.delete(from)
      return
    }
    others.set(from, now)
    if (kind === 'changed') listener?.(text === EVERYTHING ? 'everything' : new Set(text.split('\n')))
    else {
      heededUntil = now + REMEMBERED_MS
      if (text.endsWith(' 1')) askedUntil = now + REMEMBERED_MS
    }
  }

  const missOthers = (now: number) => {
    // Whoever was away himself cannot judge others.
    const wasAway = now - lastTick > LOST_AFTER_MS / 2
    for (const [from, at] of others) {
      if (wasAway) others.set(from, now)
      else if (now - at > LOST_AFTER_MS) {
        others.delete(from)
        lost()
      }
    }
  }

  const modeNow = ({ database: plain, redis }: NonNullable<typeof hearings>): Mode => {
    if (redis && redis.steadyFor() > ASK_MS) return 'redis'
    return plain.askingFor() > ASK_MS ? 'database' : 'none'
  }

  const tick = () => {
    if (!hearings) return
    const now = performance.now()
    missOthers(now)
    lastTick = now
    const next = modeNow(hearings)
    if (next !== mode) {
      mode = next
      lost()
    }
    hearings.database.ping(mode !== 'redis' || hearings.redis?.isFresh() === false)
    hearings.redis?.ping(false)
    acknowledged?.pay()
  }

  const holds = () => {
    if (!hearings || mode === 'none' || modeNow(hearings) !== mode) return false
    const { database: plain, redis } = hearings
    if (mode === 'database') return plain.isFresh()
    // Who fails to reach Redis speaks through the database; where that carries nothing, age alone ends what is kept.
    return redis?.isFresh() === true && (plain.isFresh() || !plain.hasWorked())
  }

  return {
    follow: (heard) => {
      const followed = database.follow(heard)
      if (followed) return followed
      listener = heard
      hearings = {
        database: createHearing(viaDatabase, self, hear, lost),
        redis: viaRedis && createHearing(viaRedis, self, hear, lost),
      }
      timer = setInterval(tick, PING_MS)
      timer.unref()
      return { exact: false, holds, look: () => {} }
    },
    close: async () => {
      await outbox.close()
      if (timer) clearInterval(timer)
      const heard = hearings
      hearings = null
      if (heard || known) await say([messageOf(self, 'bye', '')]).catch(() => {})
      await Promise.all([heard?.database.stop(), heard?.redis?.stop()])
    },
  }
}
