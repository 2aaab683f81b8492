import { shift } from '../../platform/clock.ts'
import type { ReadContext } from '../../platform/context.ts'

/** From so many posts, comments and reactions on an answer is kept; what is small is always read anew. */
const MANY = 20_000
/** Seconds after which an answer is made anew, and after which nobody gets it any more. */
const FRESH_S = 60
const OLD_S = 300
const MOST_KEPT = 200

interface Kept {
  readonly madeAt: string
  readonly value: unknown
}

interface Answers {
  readonly kept: Map<string, Kept>
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

/**
 * What `work` gives, or gave a little while ago where very much had to be read: in a large community a figure over many people costs more
 * than its last seconds matter. One that is older than a minute is answered with once more while it is made anew. Who asks for the same while
 * it is being made shares in it. `amount` tells how much it is.
 */
export const keptWhenLarge = async <T>(
  { services, now }: Pick<ReadContext, 'services' | 'now'>,
  key: readonly unknown[],
  work: () => Promise<T>,
  amount: () => Promise<number>,
): Promise<T> => {
  if ((await amount()) < MANY) return work()
  const { kept, underWay } = answersOf(services.database)
  const name = JSON.stringify(key)
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
        const oldest = kept.size >= MOST_KEPT ? kept.keys().next().value : undefined
        if (oldest !== undefined) kept.delete(oldest)
        kept.delete(name)
        kept.set(name, { madeAt: now, value })
        return value
      })
      .finally(() => underWay.delete(name))
    underWay.set(name, made)
    return made
  }
}
