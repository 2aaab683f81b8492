import { type Db, keepRow, lockRow, statementOne, writesAlone } from '../../db/index.ts'
import type { WriteContext } from '../../platform/context.ts'
import { dayOf } from '../settings/index.ts'
import { addEntry, bonusPoints, type Counts, holdPoints, lastEntry, reverse } from './ledger.ts'
import { type BonusKind, COMMENTS_MILESTONE, type LedgerKind } from './rules.ts'

/** Something that earns points as it stands now. */
export interface Standing {
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
  readonly standings: Readonly<Partial<Record<LedgerKind, Standing>>>
}

/** How something is found, and the row that must not go while points are given for it, with the feed that it hangs on. */
export interface Finding {
  readonly row?: { readonly of: 'feeds' | 'comments' | 'reactions'; readonly id: number; readonly feedId?: number }
  readonly find: (db: Db) => Promise<Found | null>
}

const configured = statementOne<{ points: number }>('select points from points_config where kind = $1')

const worth = async (db: Db, kind: LedgerKind): Promise<number> => bonusPoints(kind) ?? (await configured(db, [kind]))?.points ?? 0

/** Keys of the first row of a subject and of those that follow after a reversal: each can be added once. */
const keyAfter = (subject: string, reversed: string | undefined): string => {
  if (reversed === undefined) return subject
  const times = Number(/#(\d+)$/.exec(reversed)?.[1] ?? 1)
  return `${subject}#${times + 1}`
}

interface Subject {
  readonly kind: LedgerKind
  readonly subject: string
}

/**
 * Brings the ledger in line with whether something stands: earned where it does, taken back where it does not, each once. What comes back is
 * worth what it was, on the day that it had. The person is held.
 */
const align = async (ctx: WriteContext, { kind, subject }: Subject, standing: Standing | null): Promise<Counts | undefined> => {
  const { db, now } = ctx
  const before = await lastEntry(db, subject)
  const open = before?.reverses === null ? before : undefined
  if (standing === null) return open && reverse(db, open, now)
  if (open && open.space_id === standing.spaceId) return undefined
  const taken = open ? await reverse(db, open, now) : undefined
  const points = before ? Math.abs(before.points) : await worth(db, kind)
  const { userId, spaceId, feedId = null, commentId = null } = standing
  const eventKey = keyAfter(subject, before && (before.reverses === null ? before.event_key : before.event_key.replace(/^rev:/, '')))
  const day = before?.day ?? standing.day ?? (await dayOf(db, standing.at))
  const given = await addEntry(db, { userId, kind, subject, points, eventKey, spaceId, feedId, commentId, day, reverses: null }, now)
  return given ?? taken
}

const follow = (ctx: WriteContext, kind: BonusKind, userId: number, at: string, stands: boolean) =>
  align(ctx, { kind, subject: `${kind}:user:${userId}` }, stands ? { userId, spaceId: null, at } : null)

/** What follows from how much of a kind stands now. Far below the milestone nothing can have been given for it. */
const followOn = async (ctx: WriteContext, { kind, subject }: Subject, userId: number, at: string, counts: Counts): Promise<void> => {
  if (kind === 'post_created') await follow(ctx, 'first_post', userId, at, counts.posts > 0)
  if (kind === 'comment_made' && counts.comments >= COMMENTS_MILESTONE - 1)
    await follow(ctx, 'comments_100', userId, at, counts.comments >= COMMENTS_MILESTONE)
  if (kind === 'course_completed' && counts.courses > 1)
    await align(
      ctx,
      { kind: 'course_streak', subject: subject.replace('course_completed', 'course_streak') },
      { userId, spaceId: null, at },
    )
}

/** Whose the points of these subjects are, where what they were given for is gone. */
const formerOwner = async (db: Db, subjects: readonly Subject[]): Promise<number | undefined> => {
  for (const { subject } of subjects) {
    const entry = await lastEntry(db, subject)
    if (entry) return entry.user_id
  }
  return undefined
}

/**
 * Looks at something and brings the ledger in line, for everything that it may be worth. `find` is asked again once the person is held, so
 * that of two jobs about one thing the later one knows what the earlier one did, and neither goes by what has passed. Whoever deletes it
 * meanwhile waits, so that the job about that finds the row of the ledger.
 */
export const settle = async (ctx: WriteContext, subjects: readonly Subject[], { row, find }: Finding): Promise<void> => {
  const { db } = ctx
  const before = await find(db)
  const userId = before?.userId ?? (await formerOwner(db, subjects))
  if (userId === undefined || !(await holdPoints(db, userId))) return
  // Who takes it away holds the feed first, and other listeners of the event will.
  if (row?.feedId) await lockRow(db, 'feeds', row.feedId)
  if (row) await keepRow(db, row.of, row.id)
  const found = writesAlone(db) ? before : await find(db)
  for (const subject of subjects) {
    const standing = found?.standings[subject.kind] ?? null
    const counts = await align(ctx, subject, standing)
    if (counts) await followOn(ctx, subject, userId, standing?.at ?? ctx.now, counts)
  }
}

/** Earns something for good: nothing takes it back. The person is held, or not there. */
export const earnOnce = (ctx: WriteContext, subject: Subject, standing: Standing): Promise<Counts | undefined> =>
  align(ctx, subject, standing)
