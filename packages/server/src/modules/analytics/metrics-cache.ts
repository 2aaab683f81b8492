import { shift } from '../../core/clock.ts'
import type { ReadContext } from '../../core/context.ts'
import type { Range } from './range.ts'

/** From so many posts, comments and reactions on an answer may be given that is a little older than they are. */
const MANY = 20_000
/** Seconds after which an answer is made anew, and after which nobody gets it any more. */
const FRESH_S = 60
const OLD_S = 300
const MAX_ENTRIES = 200

interface CacheEntry {
  readonly madeAt: string
  readonly value: unknown
}

interface Answers {
  readonly kept: Map<string, CacheEntry>
  readonly underWay: Map<string, Promise<unknown>>
}

const known = new WeakMap<ReadContext['services']['database'], Answers>()

const answersOf = (database: ReadContext['services']['database']): Answers => {
  const found = known.get(database)
  if (found) return found
  const made: Answers = { kept: new Map(), underWay: new Map() }
  known.set(database, made)
  return made
}

type Asking = Pick<ReadContext, 'services' | 'now'>
type Key = readonly unknown[]

const nameOf = ({ from, to, today, generation }: Range, key: Key): string => JSON.stringify([...key, from, to, today, generation])

/** What is made of the figures as they are: a function that gives it where it is kept, and one that keeps it. */
const exactly = <T>({ services: { caches } }: Asking, range: Range, key: Key) => {
  const kept = caches.of<{ readonly value: T }>('figures', MAX_ENTRIES)
  const since = caches.now()
  const name = nameOf(range, key)
  return {
    found: kept.get(name, since, range.version),
    // Who is suspended counts no longer as active.
    keep: (value: T) => kept.set(name, { value }, ['figures', 'people'], since, range.version),
  }
}

/** What `work` makes of the figures of a range, which is kept until any of them changes. */
export const keptFigures = async <T>(ctx: Asking, range: Range, key: Key, work: () => Promise<T>): Promise<T> => {
  const { found, keep } = exactly<T>(ctx, range, key)
  if (found) return found.value
  const value = await work()
  keep(value)
  return value
}

/**
 * The same; where very much has to be read, and something has changed, what it gave a little while ago: in a large community a figure over
 * many people costs more than its last seconds matter. One that is older than a minute is answered with once more while it is made anew. Who
 * asks for the same while it is being made shares in it. `amount` tells how much it is.
 */
export const keptWhenLarge = async <T>(
  ctx: Asking,
  range: Range,
  key: Key,
  work: () => Promise<T>,
  amount: () => Promise<number>,
): Promise<T> => {
  const { found: exact, keep } = exactly<T>(ctx, range, key)
  if (exact) return exact.value
  if ((await amount()) < MANY) {
    const value = await work()
    keep(value)
    return value
  }
  const { services, now } = ctx
  const { kept, underWay } = answersOf(services.database)
  const name = nameOf(range, key)
  const found = kept.get(name)
  if (found && found.madeAt > shift(now, -FRESH_S) && found.madeAt <= now) return found.value as T
  const making = (underWay.get(name) as Promise<T> | undefined) ?? renew()
  if (!found || found.madeAt <= shift(now, -OLD_S) || found.madeAt > now) return making
  // Who asks next will see what became of it.
  making.catch(() => {})
  return found.value as T

  function renew(): Promise<T> {
    const made = work()
      .then((value) => {
        const oldest = kept.size >= MAX_ENTRIES ? kept.keys().next().value : undefined
        if (oldest !== undefined) kept.delete(oldest)
        kept.delete(name)
        kept.set(name, { madeAt: now, value })
        keep(value)
        return value
      })
      .finally(() => underWay.delete(name))
    underWay.set(name, made)
    return made
  }
}
