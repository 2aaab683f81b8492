import type { Infer, LimitsConfig } from '@lyceum/contract'
import type { Snapshot } from '../cache/index.ts'
import { type Clock, nowOf, shift } from '../core/clock.ts'
import { tooMany } from '../core/errors.ts'
import type { Limiter, LimitResult } from './fixed-window.ts'

export type Limits = Infer<typeof LimitsConfig>

export const MINUTE_S = 60
export const HOUR_S = 3600
export const DAY_S = 24 * HOUR_S

/** A counter: what it counts, for whom, and the limit of a window; 0 means no limit. */
export interface Budget {
  /** Kind of refusal in the metrics. */
  readonly kind: string
  readonly key: string | number
  readonly limit: number
  readonly windowS: number
  /** Units spent by one call; 1 by default. */
  readonly by?: number
}

interface Options {
  readonly limiter: Limiter
  readonly clock: Clock
  /** If false, `spend` never refuses. */
  readonly on: boolean
  readonly read: (snapshot: Snapshot) => Limits | Promise<Limits>
  /** Whether moderators trust this member. */
  readonly isTrusted: (userId: number) => Promise<boolean>
}

interface Member {
  readonly role: 'member' | 'moderator' | 'admin'
  readonly createdAt: string
}

/** Whether the account is exempt from the limits of members. */
export const isExempt = ({ role }: Pick<Member, 'role'>): boolean => role !== 'member'

/**
 * Budgets of members, addresses and mailboxes. The counters are in memory, or in Redis if instances share one; spending runs no database
 * statement.
 */
export const createBudgets = ({ limiter, clock, on, read, isTrusted }: Options) => {
  const refusals = new Map<string, number>()
  const keyOf = ({ kind, key }: Budget) => `${kind}:${key}`

  const refused = (kind: string) => {
    refusals.set(kind, (refusals.get(kind) ?? 0) + 1)
  }

  const giveBack = (budgets: readonly Budget[]) => {
    for (const budget of budgets) if (budget.limit > 0) limiter.refund(keyOf(budget), budget.windowS, budget.by)
  }

  /** If one of several budgets refuses, the units already spent are returned. */
  const assertAllowed = (budget: Budget, { allowed, retryAfter }: LimitResult) => {
    if (allowed) return
    if ((budget.by ?? 1) > 1) giveBack([budget])
    refused(budget.kind)
    throw tooMany(retryAfter)
  }

  /**
   * Spends from each of these budgets; returns a promise only if the counters are shared.
   * @throws rate_limit_exceeded
   */
  const spend = (budgets: readonly Budget[]): Promise<void> | undefined => {
    if (!on) return undefined
    for (const [i, budget] of budgets.entries()) {
      if (budget.limit === 0 || budget.by === 0) continue
      const hit = limiter.hit(keyOf(budget), budget.limit, budget.windowS, budget.by)
      if (hit instanceof Promise)
        return hit.then((result) => {
          assertAllowed(budget, result)
          return spend(budgets.slice(i + 1))
        })
      assertAllowed(budget, hit)
    }
    return undefined
  }

  return {
    on,
    read,
    spend,
    giveBack,
    /** Counts a refusal that was decided elsewhere. */
    refused,
    refusals: (): ReadonlyMap<string, number> => refusals,

    /** Whether the account is so new that it has smaller budgets. */
    isNew: ({ role, createdAt }: Member, { new_member_hours: hours }: Limits): boolean =>
      on && role === 'member' && hours > 0 && createdAt > shift(nowOf(clock), -hours * HOUR_S),

    /** Spends from the budgets of a new account; trusted members are never refused. @throws rate_limit_exceeded */
    spendNew: async (userId: number, budgets: readonly Budget[]): Promise<void> => {
      try {
        await spend(budgets)
      } catch (error) {
        if (!(await isTrusted(userId))) throw error
      }
    },
  }
}

export type Budgets = ReturnType<typeof createBudgets>
