import { randomUUID } from 'node:crypto'
import type { ChangeListener, Database, Following } from '../../db/index.ts'
import { createAcknowledged } from './acknowledged.ts'
import { CHANNEL, createHearing, type Hearing, type Message, messageOf, PACE, type Pace } from './hearing.ts'
import { createOutbox, EVERYTHING } from './outbox.ts'
import type { RedisSignals, Signals } from './signals.ts'

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
export const createChanges = (database: Database, viaDatabase: Signals, viaRedis: RedisSignals | null, pace: Pace = PACE): Changes => {
  /** Who said something is remembered for longer than a silence that he may keep. */
  const remembered = 2 * pace.grace
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
      heededUntil = now + remembered
      if (text.endsWith(' 1')) askedUntil = now + remembered
    }
  }

  const missOthers = (now: number) => {
    // Whoever was away himself cannot judge others.
    const wasAway = now - lastTick > pace.lostAfter / 2
    for (const [from, at] of others) {
      if (wasAway) others.set(from, now)
      else if (now - at > pace.lostAfter) {
        others.delete(from)
        lost()
      }
    }
  }

  const modeNow = ({ database: plain, redis }: NonNullable<typeof hearings>): Mode => {
    if (redis && redis.steadyFor() > pace.ask) return 'redis'
    return plain.askingFor() > pace.ask ? 'database' : 'none'
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
        database: createHearing(viaDatabase, self, pace, hear, lost),
        redis: viaRedis && createHearing(viaRedis, self, pace, hear, lost),
      }
      timer = setInterval(tick, pace.ping)
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
