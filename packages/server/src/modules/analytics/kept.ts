import { shift } from '../../platform/clock.ts'
import type { ReadContext } from '../../platform/context.ts'

/** From so many posts, comments and reactions on an answer is kept for a minute; what is small is always read anew. */
const MANY = 100_000
const KEPT_S = 60
const MOST_KEPT = 100

interface Kept {
  readonly until: string
  readonly value: unknown
}

const known = new WeakMap<ReadContext['services'], Map<string, Kept>>()

/**
 * What `work` gives, or gave within the last minute where very much had to be read: in a large community a figure over many people
 * costs more than its last seconds matter. `amount` tells how much it is.
 */
export const keptWhenLarge = async <T>(
  { services, now }: Pick<ReadContext, 'services' | 'now'>,
  key: readonly unknown[],
  work: () => Promise<T>,
  amount: () => Promise<number>,
): Promise<T> => {
  const answers = known.get(services) ?? new Map<string, Kept>()
  known.set(services, answers)
  const name = JSON.stringify(key)
  const found = answers.get(name)
  if (found && found.until > now) return found.value as T
  const value = await work()
  answers.delete(name)
  if ((await amount()) >= MANY) {
    if (answers.size >= MOST_KEPT) answers.clear()
    answers.set(name, { until: shift(now, KEPT_S), value })
  }
  return value
}
