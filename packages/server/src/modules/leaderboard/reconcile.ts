import type { WriteContext } from '../../core/context.ts'
import { type Db, isSingleWriter, lockRows, lockRowsShared, statement } from '../../db/index.ts'
import { dayIn } from '../../util/time-zones.ts'
import { readSettings } from '../settings/index.ts'
import { capped } from './daily-caps.ts'
import { addEntries, bonusPoints, type Counts, countBy, type Entry, holdPoints, type LastEntry, lastEntries, reversalOf } from './ledger.ts'
import { type BonusKind, COMMENTS_MILESTONE, type LedgerKind } from './rules.ts'

/** Something that earns points as it stands now. */
export interface PointsState {
  readonly userId: number
  readonly spaceId: number | null
  readonly feedId?: number | null
  readonly commentId?: number | null
  /** When it came about: its day is that of the points. */
  readonly at: string
  /** Another day than that. */
  readonly day?: string
}

/** Whose something is, and how it stands as each kind; without an entry it does not. */
export interface Found {
  readonly userId: number
  readonly standings: Readonly<Partial<Record<LedgerKind, PointsState>>>
}

/** How things are found by their ids, and the table whose rows must not go while points are given for them. */
export interface Source {
  readonly of?: 'feeds' | 'comments' | 'reactions'
  readonly find: (db: Db, ids: readonly number[]) => Promise<ReadonlyMap<number, Found>>
}

interface Subject {
  readonly kind: LedgerKind
  readonly subject: string
}

/** Something that may be worth points, for each of the subjects. */
export interface Thing {
  readonly id: number
  /** The feed that it hangs on. */
  readonly feedId?: number
  readonly subjects: readonly Subject[]
}

/** How a subject is to stand; null: not. */
export interface Aim extends Subject {
  readonly userId: number
  readonly standing: PointsState | null
}

const configured = statement<{ kind: LedgerKind; points: number }>('select kind, points from points_config')

/** What earning depends on: points by their kind, and the day of a moment. */
const termsOf = async (db: Db) => {
  const points = new Map((await configured(db)).map((row) => [row.kind, row.points]))
  const { timezone: zone, limits } = await readSettings(db, ['timezone', 'limits'])
  const days = new Map<string, string>()
  return {
    limits,
    worth: (kind: LedgerKind): number => bonusPoints(kind) ?? points.get(kind) ?? 0,
    dayOf: (at: string): string => {
      const day = days.get(at) ?? dayIn(zone, at)
      days.set(at, day)
      return day
    },
  }
}
type Terms = Awaited<ReturnType<typeof termsOf>>

/** Keys of the first row of a subject and of those that follow after a reversal: each can be added once. */
const keyAfter = (subject: string, reversed: string | undefined): string => {
  if (reversed === undefined) return subject
  const times = Number(/#(\d+)$/.exec(reversed)?.[1] ?? 1)
  return `${subject}#${times + 1}`
}

/**
 * The rows that bring the ledger in line with whether something stands: earned where it does, taken back where it does not, each once. What
 * comes back is worth what it was, on the day that it had.
 */
const entriesOf = ({ kind, subject, standing }: Aim, before: LastEntry | undefined, { worth, dayOf }: Terms): Entry[] => {
  const open = before?.reverses === null ? before : undefined
  if (standing === null) return open ? [reversalOf(open)] : []
  if (open && open.space_id === standing.spaceId) return []
  const points = before ? Math.abs(before.points) : worth(kind)
  const { userId, spaceId, feedId = null, commentId = null } = standing
  const eventKey = keyAfter(subject, before && (before.reverses === null ? before.event_key : before.event_key.replace(/^rev:/, '')))
  const day = before?.day ?? standing.day ?? dayOf(standing.at)
  const earned = { userId, kind, subject, points, eventKey, spaceId, feedId, commentId, day, reverses: null }
  return open ? [reversalOf(open), earned] : [earned]
}

/** What follows from how much of a kind stands now. Far below the milestone nothing can have been given for it. */
const followUp = ({ kind, subject, userId, standing }: Aim, counts: Counts, now: string): Aim | undefined => {
  const at = standing?.at ?? now
  const bonus = (kind: BonusKind, stands: boolean): Aim => ({
    kind,
    subject: `${kind}:user:${userId}`,
    userId,
    standing: stands ? { userId, spaceId: null, at } : null,
  })
  if (kind === 'post_created') return bonus('first_post', counts.posts > 0)
  if (kind === 'comment_made' && counts.comments >= COMMENTS_MILESTONE - 1)
    return bonus('comments_100', counts.comments >= COMMENTS_MILESTONE)
  if (kind === 'course_completed' && counts.courses > 1)
    return {
      kind: 'course_streak',
      subject: subject.replace('course_completed', 'course_streak'),
      userId,
      standing: { userId, spaceId: null, at },
    }
  return undefined
}

interface Change {
  readonly aim: Aim
  /** By how much more of its kind stands. */
  readonly by: number
}

const PART = { post_created: 'posts', comment_made: 'comments', course_completed: 'courses' } as const
const partOf = (kind: LedgerKind): keyof Counts | undefined => (Object.hasOwn(PART, kind) ? PART[kind as keyof typeof PART] : undefined)

/** What follows from changes one after the other: `after` is how much stands once all are made. */
const followUps = (changes: readonly Change[], after: ReadonlyMap<number, Counts>, now: string): Aim[] => {
  const standing = new Map([...after].map(([userId, counts]) => [userId, { ...counts }]))
  for (const { aim, by } of changes) {
    const [counts, part] = [standing.get(aim.userId), partOf(aim.kind)]
    if (counts && part) counts[part] -= by
  }
  const aims = new Map<string, Aim>()
  for (const { aim, by } of changes) {
    const [counts, part] = [standing.get(aim.userId), partOf(aim.kind)]
    if (!counts || !part) continue
    counts[part] += by
    const next = followUp(aim, counts, now)
    // Its day is that on which it was earned, not that of what came after.
    if (next && !(next.standing && aims.get(next.subject)?.standing)) aims.set(next.subject, next)
  }
  return [...aims.values()]
}

/** Brings the ledger in line with how these subjects stand, each of them named once, and with what follows. The people are held. Gives those that changed. */
export const bring = async (ctx: WriteContext, aims: readonly Aim[]): Promise<readonly Aim[]> => {
  const { db, now } = ctx
  if (aims.length === 0) return []
  const before = await lastEntries(
    db,
    aims.map(({ subject }) => subject),
  )
  const terms = await termsOf(db)
  const asked = aims.map((aim) => ({ aim, entries: entriesOf(aim, before.get(aim.subject), terms) }))
  const isFirst = ({ subject, reverses }: Entry) => reverses === null && !before.has(subject)
  const wanted = ctx.services.budgets.on ? await capped(db, asked, isFirst, terms.limits) : asked
  const { keys, counts } = await addEntries(
    db,
    wanted.flatMap(({ entries }) => entries),
    now,
  )
  const changes = wanted.flatMap(({ aim, entries }) => {
    const added = entries.filter(({ eventKey }) => keys.has(eventKey))
    return added.length === 0 ? [] : [{ aim, by: added.reduce((sum, entry) => sum + countBy(entry), 0) }]
  })
  await bring(ctx, followUps(changes, counts, now))
  return changes.map(({ aim }) => aim)
}

/** Whose these things are; of what is gone, whose the points are that were given for it. */
const ownersOf = async (db: Db, things: readonly Thing[], found: ReadonlyMap<number, Found>): Promise<Map<Thing, number>> => {
  const gone = things.filter(({ id }) => !found.has(id))
  const entries =
    gone.length === 0
      ? new Map<string, LastEntry>()
      : await lastEntries(
          db,
          gone.flatMap(({ subjects }) => subjects.map(({ subject }) => subject)),
        )
  const ownerOf = ({ id, subjects }: Thing) =>
    found.get(id)?.userId ?? subjects.map(({ subject }) => entries.get(subject)?.user_id).find((userId) => userId !== undefined)
  return new Map(
    things.flatMap((thing) => {
      const owner = ownerOf(thing)
      return owner === undefined ? [] : [[thing, owner] as const]
    }),
  )
}

/**
 * Looks at things and brings the ledger in line, for everything that they may be worth. They are looked for again once their people are held,
 * so that of two jobs about one thing the later one knows what the earlier one did, and neither goes by what has passed. Whoever deletes one
 * meanwhile waits, so that the job about that finds the row of the ledger.
 */
export const settle = async (ctx: WriteContext, { of, find }: Source, named: readonly Thing[]): Promise<void> => {
  const { db } = ctx
  const things = [...new Map(named.map((thing) => [thing.id, thing])).values()]
  const ids = things.map(({ id }) => id)
  const before = await find(db, ids)
  const owners = await ownersOf(db, things, before)
  if (owners.size === 0) return
  const people = await holdPoints(db, [...owners.values()])
  // Who takes it away holds the feed first, and other listeners of the event will.
  await lockRows(
    db,
    'feeds',
    things.flatMap(({ feedId }) => feedId ?? []),
  )
  if (of) await lockRowsShared(db, of, ids)
  const found = isSingleWriter(db) ? before : await find(db, ids)
  const aims = [...owners].flatMap(([{ id, subjects }, userId]) =>
    people.has(userId) ? subjects.map((subject) => ({ ...subject, userId, standing: found.get(id)?.standings[subject.kind] ?? null })) : [],
  )
  await bring(ctx, aims)
}

/** Earns something for good: nothing takes it back. The person is held. True when it had not been earned before. */
export const earnOnce = async (ctx: WriteContext, subject: Subject, standing: PointsState): Promise<boolean> =>
  (await bring(ctx, [{ ...subject, userId: standing.userId, standing }])).length > 0
