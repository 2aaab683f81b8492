import type { WriteContext } from '../../core/context.ts'
import { type Db, isSingleWriter, lockRows, lockRowsShared, statement } from '../../db/index.ts'
import { dayIn } from '../../util/time-zones.ts'
import { readSettings } from '../settings/index.ts'
import { applyDailyCaps } from './daily-caps.ts'
import {
  addEntries,
  bonusPoints,
  type Counts,
  countDelta,
  countsOf,
  type Entry,
  type LastEntry,
  lastEntries,
  lockPoints,
  reversalOf,
} from './ledger.ts'
import { type BonusKind, COMMENTS_MILESTONE, type LedgerKind } from './rules.ts'

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

/** The owner of an item, and its state for each kind of points; kinds without an entry earn nothing. */
export interface FoundItem {
  readonly userId: number
  readonly states: Readonly<Partial<Record<LedgerKind, PointsState>>>
}

/** How items are loaded, and the table whose rows must not be deleted while points are awarded. */
export interface Source {
  readonly lockedTable?: 'feeds' | 'comments' | 'reactions'
  readonly find: (db: Db, ids: readonly number[]) => Promise<ReadonlyMap<number, FoundItem>>
}

interface LedgerSubject {
  readonly kind: LedgerKind
  readonly dedupKey: string
}

/** An item that may earn points under each of its subjects. */
export interface LedgerItem {
  readonly id: number
  /** The feed that it belongs to. */
  readonly feedId?: number
  readonly subjects: readonly LedgerSubject[]
}

/** The state to reach for a subject; null: no points. */
interface TargetState extends LedgerSubject {
  readonly userId: number
  readonly state: PointsState | null
}

const pointsByKind = statement<{ kind: LedgerKind; points: number }>('select kind, points from points_config')

/** The rules for points: points by kind, daily limits, and the day of a time. */
const rulesOf = async (db: Db) => {
  const points = new Map((await pointsByKind(db)).map((row) => [row.kind, row.points]))
  const { timezone: zone, limits } = await readSettings(db, ['timezone', 'limits'])
  const days = new Map<string, string>()
  return {
    limits,
    pointsOf: (kind: LedgerKind): number => bonusPoints(kind) ?? points.get(kind) ?? 0,
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
  const { userId, spaceId, feedId = null, commentId = null } = state
  const eventKey = nextEventKey(dedupKey, before && (before.reverses === null ? before.event_key : before.event_key.replace(/^rev:/, '')))
  const day = before?.day ?? state.day ?? dayOf(state.at)
  const earned = { userId, kind, dedupKey, points, eventKey, spaceId, feedId, commentId, day, reverses: null }
  return open ? [reversalOf(open), earned] : [earned]
}

/** The bonus that follows from the number of items in effect. Well below the milestone, no bonus can exist. */
const bonusTarget = ({ kind, dedupKey, userId, state }: TargetState, counts: Counts, now: string): TargetState | undefined => {
  const at = state?.at ?? now
  const bonus = (kind: BonusKind, stands: boolean): TargetState => ({
    kind,
    dedupKey: `${kind}:user:${userId}`,
    userId,
    state: stands ? { userId, spaceId: null, at } : null,
  })
  if (kind === 'post_created') return bonus('first_post', counts.posts > 0)
  if (kind === 'comment_made' && counts.comments >= COMMENTS_MILESTONE - 1)
    return bonus('comments_100', counts.comments >= COMMENTS_MILESTONE)
  if (kind === 'course_completed' && counts.courses > 1)
    return {
      kind: 'course_streak',
      dedupKey: dedupKey.replace('course_completed', 'course_streak'),
      userId,
      state: { userId, spaceId: null, at },
    }
  return undefined
}

interface CountChange {
  readonly target: TargetState
  /** Change of the number of items in effect. */
  readonly delta: number
}

const PART = { post_created: 'posts', comment_made: 'comments', course_completed: 'courses' } as const
const partOf = (kind: LedgerKind): keyof Counts | undefined => (Object.hasOwn(PART, kind) ? PART[kind as keyof typeof PART] : undefined)

/** The bonuses that follow from a sequence of changes; `after` contains the counts after all of them. */
const bonusTargets = (changes: readonly CountChange[], after: ReadonlyMap<number, Counts>, now: string): TargetState[] => {
  const state = new Map([...after].map(([userId, counts]) => [userId, { ...counts }]))
  for (const { target, delta } of changes) {
    const [counts, part] = [state.get(target.userId), partOf(target.kind)]
    if (counts && part) counts[part] -= delta
  }
  const targets = new Map<string, TargetState>()
  for (const { target, delta: by } of changes) {
    const [counts, part] = [state.get(target.userId), partOf(target.kind)]
    if (!counts || !part) continue
    counts[part] += by
    const next = bonusTarget(target, counts, now)
    // A bonus counts on the day it was earned, not on a later one.
    if (next && !(next.state && targets.get(next.dedupKey)?.state)) targets.set(next.dedupKey, next)
  }
  return [...targets.values()]
}

/**
 * Reconciles the ledger with these targets, each with a distinct key, and with the bonuses that follow. The caller holds the users' locks.
 * Returns the targets that changed.
 */
const reconcileTargets = async (ctx: WriteContext, targets: readonly TargetState[]): Promise<readonly TargetState[]> => {
  const { db, now } = ctx
  if (targets.length === 0) return []
  const before = await lastEntries(
    db,
    targets.map(({ dedupKey }) => dedupKey),
  )
  const rules = await rulesOf(db)
  const uncapped = targets.map((target) => ({ target, entries: entriesOf(target, before.get(target.dedupKey), rules) }))
  const isFirst = ({ dedupKey, reverses }: Entry) => reverses === null && !before.has(dedupKey)
  const wanted = ctx.services.budgets.on ? await applyDailyCaps(db, uncapped, isFirst, rules.limits) : uncapped
  const keys = await addEntries(
    ctx,
    wanted.flatMap(({ entries }) => entries),
  )
  const changes = wanted.flatMap(({ target, entries }) => {
    const added = entries.filter(({ eventKey }) => keys.has(eventKey))
    return added.length === 0 ? [] : [{ target, delta: added.reduce((sum, entry) => sum + countDelta(entry), 0) }]
  })
  const counted = changes.flatMap(({ target: { kind, userId } }) => (partOf(kind) ? [userId] : []))
  await reconcileTargets(ctx, bonusTargets(changes, await countsOf(db, counted), now))
  return changes.map(({ target }) => target)
}

/** The owners of the items; for deleted items, the owner of their ledger entries. */
const ownersOf = async (db: Db, items: readonly LedgerItem[], found: ReadonlyMap<number, FoundItem>): Promise<Map<LedgerItem, number>> => {
  const missing = items.filter(({ id }) => !found.has(id))
  const entries =
    missing.length === 0
      ? new Map<string, LastEntry>()
      : await lastEntries(
          db,
          missing.flatMap(({ subjects }) => subjects.map(({ dedupKey }) => dedupKey)),
        )
  const ownerOf = ({ id, subjects }: LedgerItem) =>
    found.get(id)?.userId ?? subjects.map(({ dedupKey }) => entries.get(dedupKey)?.user_id).find((userId) => userId !== undefined)
  return new Map(
    items.flatMap((item) => {
      const owner = ownerOf(item)
      return owner === undefined ? [] : [[item, owner] as const]
    }),
  )
}

/**
 * Reconciles the ledger with the current state of some items. Items are loaded again after their owners are locked, so concurrent jobs
 * about one item do not use outdated state. A concurrent delete waits, so the job for it finds the ledger row.
 */
export const reconcile = async (ctx: WriteContext, { lockedTable, find }: Source, named: readonly LedgerItem[]): Promise<void> => {
  const { db } = ctx
  const items = [...new Map(named.map((item) => [item.id, item])).values()]
  const ids = items.map(({ id }) => id)
  const before = await find(db, ids)
  const owners = await ownersOf(db, items, before)
  if (owners.size === 0) return
  const people = await lockPoints(db, [...owners.values()])
  // Deletes lock the feed first, as do other listeners of the event.
  await lockRows(
    db,
    'feeds',
    items.flatMap(({ feedId }) => feedId ?? []),
  )
  if (lockedTable) await lockRowsShared(db, lockedTable, ids)
  const found = isSingleWriter(db) ? before : await find(db, ids)
  const targets = [...owners].flatMap(([{ id, subjects }, userId]) =>
    people.has(userId) ? subjects.map((dedupKey) => ({ ...dedupKey, userId, state: found.get(id)?.states[dedupKey.kind] ?? null })) : [],
  )
  await reconcileTargets(ctx, targets)
}

/** Awards something permanently. The caller holds the user's lock. Returns whether it was awarded for the first time. */
export const awardOnce = async (ctx: WriteContext, dedupKey: LedgerSubject, state: PointsState): Promise<boolean> =>
  (await reconcileTargets(ctx, [{ ...dedupKey, userId: state.userId, state }])).length > 0
