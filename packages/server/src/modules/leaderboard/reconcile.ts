import type { WriteContext } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { distinctBy } from '../../util/distinct.ts'
import { dayIn } from '../../util/time-zones.ts'
import { readSettings } from '../settings/index.ts'
import { applyDailyCaps } from './daily-caps.ts'
import { addEntries, type Counts, countDelta, countsOf, type Entry, type LastEntry, lastEntries, reversalOf } from './ledger.ts'
import { pointsConfig } from './levels.ts'
import { BONUSES, type BonusKind, COMMENTS_MILESTONE, isBonus, type LedgerKind } from './point-rules.ts'

/** The current state of something that earns points. */
export interface PointsState {
  readonly userId: number
  readonly spaceId: number | null
  readonly feedId?: number | null
  readonly commentId?: number | null
  /** The time it happened; points count on that day. */
  readonly at: string
  /** Overrides the day. */
  readonly day?: string
}

interface LedgerSubject {
  readonly kind: LedgerKind
  readonly dedupKey: string
}

/** The state to reach for a subject; null: no points. */
export interface TargetState extends LedgerSubject {
  readonly userId: number
  readonly state: PointsState | null
}

/** The rules for points: points by kind, daily limits, and the day of a time. */
const rulesOf = async (db: Db) => {
  const [points, { timezone: zone, limits }] = await Promise.all([pointsConfig(db), readSettings(db, ['timezone', 'limits'])])
  const days = new Map<string, string>()
  return {
    limits,
    pointsOf: (kind: LedgerKind): number => (isBonus(kind) ? BONUSES[kind].points : kind === 'imported' ? 0 : points[kind]),
    dayOf: (at: string): string => {
      const day = days.get(at) ?? dayIn(zone, at)
      days.set(at, day)
      return day
    },
  }
}
type PointRules = Awaited<ReturnType<typeof rulesOf>>

/** The event key of the first row of a subject, or of the next one after a reversal; each can be added once. */
const nextEventKey = (dedupKey: string, reversed: string | undefined): string => {
  if (reversed === undefined) return dedupKey
  const times = Number(/#(\d+)$/.exec(reversed)?.[1] ?? 1)
  return `${dedupKey}#${times + 1}`
}

/**
 * The rows that bring the ledger to the target state: an award, a reversal, or both. A repeated award has the points and the day of the
 * first one.
 */
const entriesOf = ({ kind, dedupKey, state }: TargetState, before: LastEntry | undefined, { pointsOf, dayOf }: PointRules): Entry[] => {
  const open = before?.reverses === null ? before : undefined
  if (state === null) return open ? [reversalOf(open)] : []
  if (open && open.space_id === state.spaceId) return []
  const points = before ? Math.abs(before.points) : pointsOf(kind)
  const { spaceId: space_id, feedId: feed_id = null, commentId: comment_id = null } = state
  const event_key = nextEventKey(dedupKey, before?.event_key.replace(/^rev:/, ''))
  const day = before?.day ?? state.day ?? dayOf(state.at)
  const place = { user_id: state.userId, space_id, feed_id, comment_id }
  const earned = { ...place, kind, dedup_key: dedupKey, points, event_key, day, reverses: null }
  return open ? [reversalOf(open), earned] : [earned]
}

/** The bonus that follows from the number of items in effect. Well below the milestone, no bonus can exist. */
const bonusTarget = ({ kind, dedupKey, userId, state }: TargetState, counts: Counts, now: string): TargetState | undefined => {
  const bonus = (bonusKind: BonusKind, isEarned: boolean, key = `${bonusKind}:user:${userId}`): TargetState => ({
    kind: bonusKind,
    dedupKey: key,
    userId,
    state: isEarned ? { userId, spaceId: null, at: state?.at ?? now } : null,
  })
  if (kind === 'post_created') return bonus('first_post', counts.posts > 0)
  if (kind === 'comment_made' && counts.comments >= COMMENTS_MILESTONE - 1)
    return bonus('comments_100', counts.comments >= COMMENTS_MILESTONE)
  if (kind === 'course_completed' && counts.courses > 1)
    return bonus('course_streak', true, dedupKey.replace('course_completed', 'course_streak'))
  return undefined
}

interface CountChange {
  readonly target: TargetState
  /** Change of the number of items in effect. */
  readonly delta: number
}

const COUNTED: Readonly<Record<string, keyof Counts>> = { post_created: 'posts', comment_made: 'comments', course_completed: 'courses' }
const componentOf = (kind: LedgerKind): keyof Counts | undefined => (Object.hasOwn(COUNTED, kind) ? COUNTED[kind] : undefined)

/** The bonuses that follow from a sequence of changes; `after` contains the counts after all of them. */
const bonusTargets = (changes: readonly CountChange[], after: ReadonlyMap<number, Counts>, now: string): TargetState[] => {
  const state = new Map([...after].map(([userId, counts]) => [userId, { ...counts }]))
  for (const { target, delta } of changes) {
    const [counts, component] = [state.get(target.userId), componentOf(target.kind)]
    if (counts && component) counts[component] -= delta
  }
  const targets = new Map<string, TargetState>()
  for (const { target, delta: by } of changes) {
    const [counts, component] = [state.get(target.userId), componentOf(target.kind)]
    if (!counts || !component) continue
    counts[component] += by
    const next = bonusTarget(target, counts, now)
    // A bonus counts on the day it was earned, not on a later one.
    if (next && !(next.state && targets.get(next.dedupKey)?.state)) targets.set(next.dedupKey, next)
  }
  return [...targets.values()]
}

interface Reconciled {
  readonly changed: readonly TargetState[]
  /** The newest ledger row of each target before the change. */
  readonly before: ReadonlyMap<string, LastEntry>
}

/**
 * Reconciles the ledger with these targets, the last one of each key, and with the bonuses that follow. The caller holds the locks of the
 * users, and of the items, so that a concurrent deletion waits and its listener finds the ledger rows.
 */
export const reconcile = async (ctx: WriteContext, given: readonly TargetState[], known?: PointRules): Promise<Reconciled> => {
  const { db, now } = ctx
  const targets = distinctBy(given, ({ dedupKey }) => dedupKey)
  if (targets.length === 0) return { changed: [], before: new Map() }
  const before = await lastEntries(
    db,
    targets.map(({ dedupKey }) => dedupKey),
  )
  const rules = known ?? (await rulesOf(db))
  const uncapped = targets.map((target) => ({ target, entries: entriesOf(target, before.get(target.dedupKey), rules) }))
  const isFirst = ({ dedup_key, reverses }: Entry) => reverses === null && !before.has(dedup_key)
  const wanted = ctx.services.budgets.on ? await applyDailyCaps(db, uncapped, isFirst, rules.limits) : uncapped
  const keys = await addEntries(
    ctx,
    wanted.flatMap(({ entries }) => entries),
  )
  const changes = wanted.flatMap(({ target, entries }) => {
    const added = entries.filter(({ event_key }) => keys.has(event_key))
    return added.length === 0 ? [] : [{ target, delta: added.reduce((sum, entry) => sum + countDelta(entry), 0) }]
  })
  const counted = changes.flatMap(({ target: { kind, userId } }) => (componentOf(kind) ? [userId] : []))
  await reconcile(ctx, bonusTargets(changes, await countsOf(db, counted), now), rules)
  return { changed: changes.map(({ target }) => target), before }
}
