import { type Route, type WriteLimit, writeLimitOf } from '@lyceum/contract'
import type { Snapshot } from '../../cache/index.ts'
import type { Actor, Services } from '../../core/context.ts'
import { type Budget, HOUR_S, isExempt, type Limits, MINUTE_S } from '../../limits/budgets.ts'

const budgetsOf = (writeLimit: WriteLimit, { id }: Actor, limits: Limits): Budget[] => {
  const aMinute: Budget = { kind: writeLimit, key: id, limit: limits[`${writeLimit}_per_minute`], windowS: MINUTE_S }
  return writeLimit === 'posts' ? [aMinute, { ...aMinute, limit: limits.posts_per_hour, windowS: HOUR_S }] : [aMinute]
}

/**
 * Counts a call against the budget of its route before the body is read; null if the route has none. Returns a promise only if the limits
 * or the counters are not in memory.
 * @throws rate_limit_exceeded
 */
export const createWriteBudgets = ({ budgets }: Services) => {
  const count = (writeLimit: WriteLimit, actor: Actor, limits: Limits): Promise<void> | undefined => {
    const spent = budgets.spend(budgetsOf(writeLimit, actor, limits))
    if (writeLimit !== 'follows' || !budgets.isNew(actor, limits)) return spent
    const early: Budget = { kind: 'new_member_follows', key: actor.id, limit: limits.new_member_follows_per_hour, windowS: HOUR_S }
    const spendEarly = () => budgets.spendNew(actor.id, [early])
    return spent ? spent.then(spendEarly) : spendEarly()
  }

  return (route: Route) => {
    const writeLimit = budgets.on ? writeLimitOf(route) : null
    if (!writeLimit) return null
    return (actor: Actor | null, snapshot: Snapshot): Promise<void> | undefined => {
      if (!actor || isExempt(actor)) return undefined
      const limits = budgets.read(snapshot)
      return limits instanceof Promise ? limits.then((read) => count(writeLimit, actor, read)) : count(writeLimit, actor, limits)
    }
  }
}
