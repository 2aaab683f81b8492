import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type Db, lockRows } from '../../db/index.ts'
import { type Happened, job, type Listener, on, projector } from '../../jobs/index.ts'
import { shiftDay } from '../../util/days.ts'
import { idsOf } from '../../util/distinct.ts'
import { dayIn } from '../../util/time-zones.ts'
import { type CommentFacts, loadCommentFacts } from '../comments/index.ts'
import { loadStudentFacts, type StudentFacts } from '../courses/index.ts'
import { type FeedFacts, loadFeedFacts } from '../feeds/index.ts'
import { completeness, loadUserFacts, type UserFacts } from '../members/index.ts'
import { loadReactionFacts, type ReactionFacts } from '../reactions/index.ts'
import { readSetting } from '../settings/index.ts'
import { loadMembershipFacts, type MembershipFacts } from '../spaces/index.ts'
import { lastEntries, lockPoints } from './ledger.ts'
import { fullWeeks, type LedgerKind, STREAK_DAYS } from './point-rules.ts'
import { type PointsState, reconcile, type TargetState } from './reconcile.ts'

interface ReceivedReaction {
  readonly id: number
  readonly feed_id: number
  readonly comment_id: number | null
  readonly user_id: number
  readonly space_id: number | null
  readonly created_at: string
}
/** Reactions by id, with the users who receive them. */
const reactionsOf = batchStatement<ReceivedReaction>(
  { id: 'bigint' },
  (rows) => `select r.id, r.feed_id, r.comment_id, coalesce(c.user_id, f.user_id) as user_id, f.space_id, r.created_at from ${rows} d
    join reactions r on r.id = d.id join feeds f on f.id = r.feed_id left join comments c on c.id = r.comment_id`,
)

interface OpenEntry {
  readonly id: number
  readonly user_id: number
  readonly kind: LedgerKind
  readonly dedup_key: string
  readonly feed_id: number | null
  readonly comment_id: number | null
}
/** Ledger entries in effect for feeds, comments or spaces, in batches. */
const openEntriesOf = (column: string, and = '') =>
  batchStatement<OpenEntry>(
    { id: 'bigint' },
    (rows) => `select l.id, l.user_id, l.kind, l.dedup_key, l.feed_id, l.comment_id from ${rows} d cross join points_ledger l
      where l.${column} = d.id and l.id > $2 and l.reverses is null${and}
      and not exists (select 1 from points_ledger r where r.reverses = l.id) order by l.id limit $3`,
  )
const OPEN_ENTRIES = {
  feed_id: openEntriesOf('feed_id'),
  comment_id: openEntriesOf('comment_id'),
  space_id: openEntriesOf('space_id', ' and l.feed_id is not null'),
}

/** `false`: the item earns nothing now. */
const targetOf = (kind: LedgerKind, item: string, userId: number, state: Omit<PointsState, 'userId'> | false): TargetState => ({
  kind,
  dedupKey: `${kind}:${item}`,
  userId,
  state: state ? { userId, ...state } : null,
})

const postKey = (feedId: number) => `post_created:feed:${feedId}`
const postTargets = (feeds: readonly FeedFacts[]): TargetState[] =>
  feeds
    .filter(({ lesson_id }) => lesson_id === null)
    .map(({ id: feedId, user_id, space_id: spaceId, status, published_at: at }) =>
      targetOf('post_created', `feed:${feedId}`, user_id, status === 'published' && { spaceId, feedId, at }),
    )

const commentTarget = (kind: LedgerKind, { id, user_id, feed_id: feedId, space_id: spaceId, status }: CommentFacts, at: string | null) =>
  targetOf(kind, `comment:${id}`, user_id, status === 'published' && at !== null && { spaceId, feedId, commentId: id, at })
/** Being helpful by one's own mark earns nothing. */
const helpfulTargets = (comments: readonly CommentFacts[]): TargetState[] =>
  comments.map((comment) => commentTarget('helpful_vote', comment, comment.helpful_by === comment.user_id ? null : comment.helpful_at))
const commentTargets = (comments: readonly CommentFacts[]): TargetState[] => [
  ...comments.map((comment) => commentTarget('comment_made', comment, comment.created_at)),
  ...helpfulTargets(comments),
]

/** Own reactions earn nothing. */
const reactionTargets = (reactions: readonly ReactionFacts[]): TargetState[] =>
  reactions
    .filter(({ author_id, user_id }) => author_id !== user_id)
    .map(({ id, author_id, space_id: spaceId, feed_id: feedId, comment_id: commentId, current_id, created_at: at }) =>
      targetOf('reaction_received', `reaction:${id}`, author_id, current_id === id && at !== null && { spaceId, feedId, commentId, at }),
    )

const withAccount = <Facts extends { readonly has_account: 0 | 1 }>(facts: readonly Facts[]) =>
  facts.filter(({ has_account }) => has_account === 1)
const reconcileWith =
  <Facts extends { readonly has_account: 0 | 1 }>(targetsFor: (facts: readonly Facts[]) => TargetState[]) =>
  async (ctx: WriteContext, facts: readonly Facts[]): Promise<void> =>
    void (await reconcile(ctx, targetsFor(withAccount(facts))))

/** Name of the listeners, and of the job that continues a batch. */
const RECONCILE_JOB = 'leaderboard.settle'
const BATCH_SIZE = 100

interface BatchInput {
  readonly of: keyof typeof OPEN_ENTRIES
  readonly id: number
  /** Id of the last entry processed. */
  readonly after: number
}

/** Reconciles feeds. If one moved to another space, a job also moves the points that others earned with it. */
const reconcileFeeds = async (ctx: WriteContext, feeds: readonly FeedFacts[]): Promise<void> => {
  const { before } = await reconcile(ctx, postTargets(withAccount(feeds)))
  for (const { id, space_id } of feeds) {
    const entry = before.get(postKey(id))
    if (entry && entry.space_id !== space_id) await ctx.enqueue(RECONCILE_JOB, { of: 'feed_id', id, after: 0 } satisfies BatchInput)
  }
}

/** The present targets of ledger entries; those of deleted items earn no points. */
const targetsOf = async (ctx: WriteContext, entries: readonly OpenEntry[]): Promise<TargetState[]> => {
  const items = entries.map(({ dedup_key, ...entry }) => ({ ...entry, item: Number(/(\d+)$/.exec(dedup_key)?.[1]) }))
  const { post_created: posts = [], reaction_received: reactions = [], ...others } = Object.groupBy(items, ({ kind }) => kind)
  const comments = [...(others.comment_made ?? []), ...(others.helpful_vote ?? [])]
  const feedFacts = await loadFeedFacts(
    ctx,
    posts.map(({ item: feed_id }) => ({ feed_id })),
  )
  const commentFacts = await loadCommentFacts(
    ctx,
    comments.map(({ item: comment_id, feed_id }) => ({ comment_id, feed_id: feed_id ?? 0 })),
  )
  const received = await reactionsOf(
    ctx.db,
    reactions.map(({ item }) => item),
  )
  const present = new Map(
    [
      ...postTargets(feedFacts),
      ...commentTargets(commentFacts),
      ...received.map(({ id, space_id: spaceId, feed_id: feedId, comment_id: commentId, user_id, created_at: at }) =>
        targetOf('reaction_received', `reaction:${id}`, user_id, { spaceId, feedId, commentId, at }),
      ),
    ].map((target) => [target.dedupKey, target]),
  )
  return entries.map(({ kind, dedup_key: dedupKey, user_id: userId }) => present.get(dedupKey) ?? { kind, dedupKey, userId, state: null })
}

/** Reconciles all points earned with items that were deleted or moved, in batches. */
const reconcileBatch = async (ctx: WriteContext, of: keyof typeof OPEN_ENTRIES, ids: readonly number[], after = 0): Promise<void> => {
  const entries = await OPEN_ENTRIES[of](ctx.db, ids, [after, BATCH_SIZE])
  const owners = await lockPoints(ctx.db, idsOf(entries, 'user_id'))
  await lockRows(ctx.db, 'feeds', [...new Set(entries.flatMap(({ feed_id }) => feed_id ?? []))])
  await reconcile(
    ctx,
    (await targetsOf(ctx, entries)).filter(({ userId }) => owners.has(userId)),
  )
  const last = entries.at(-1)
  if (!last || entries.length < BATCH_SIZE) return
  await ctx.enqueueEach(
    RECONCILE_JOB,
    ids.map((id): BatchInput => ({ of, id, after: last.id })),
  )
}
export const reconcileAll = job<BatchInput>(RECONCILE_JOB, (ctx, { of, id, after }) => reconcileBatch(ctx, of, [id], after))

/** The award of something to a member, outside of spaces. */
const awardOf = (kind: LedgerKind, item: string, userId: number, at: string, day?: string): TargetState =>
  targetOf(kind, item, userId, { spaceId: null, at, ...(day && { day }) })

/** Joining a space counts in the community only: the leaderboard of the space must not reveal who is merely a member. */
const joinTargets = (memberships: readonly MembershipFacts[]): TargetState[] =>
  memberships.map(({ space_id, user_id, happened_at }) =>
    awardOf('space_joined', `space:${space_id}:user:${user_id}`, user_id, happened_at),
  )
const courseTargets = (students: readonly StudentFacts[]): TargetState[] =>
  students.map(({ course_id, user_id, happened_at }) =>
    awardOf('course_completed', `course:${course_id}:user:${user_id}`, user_id, happened_at),
  )
const profileTargets = (users: readonly UserFacts[]): TargetState[] =>
  users
    .filter((user) => completeness(user) === 100)
    .map(({ id, happened_at }) => awardOf('profile_completed', `user:${id}`, id, happened_at))

interface Visit {
  readonly userId: number
  readonly day: string
}
const visitKey = ({ userId, day }: Visit) => `user:${userId}:${day}`

/** Returns a function that gives the days around the visits of a member with an entry of this kind. */
const daysAround = async (db: Db, kind: LedgerKind, visits: readonly Visit[]) => {
  const keys = visits.flatMap(({ userId, day }) =>
    Array.from({ length: 4 * STREAK_DAYS + 1 }, (_, i) => `${kind}:${visitKey({ userId, day: shiftDay(day, i - 2 * STREAK_DAYS) })}`),
  )
  const entries = Map.groupBy((await lastEntries(db, [...new Set(keys)])).values(), ({ user_id }) => user_id)
  return (userId: number) => new Set(entries.get(userId)?.map(({ day }) => day))
}

/** Awards the visits of a day and the full weeks they complete. */
const awardVisits = async (ctx: WriteContext, events: readonly Happened<'user.active'>[]) => {
  const { db, now } = ctx
  const accounts = await lockPoints(db, idsOf(events, 'user_id'))
  const zone = await readSetting(db, 'timezone')
  const visits = events
    .filter(({ user_id }) => accounts.has(user_id))
    .map(({ user_id: userId, seen_at: at = now }) => ({ userId, day: dayIn(zone, at), at }))
  const { changed } = await reconcile(
    ctx,
    visits.map((visit) => awardOf('daily_login', visitKey(visit), visit.userId, visit.at)),
  )
  const keys = new Set(changed.map(({ dedupKey }) => dedupKey))
  const first = visits.filter((visit) => keys.has(`daily_login:${visitKey(visit)}`))
  const active = await daysAround(db, 'daily_login', first)
  const inStreak = first.filter(({ userId }) => active(userId).size >= STREAK_DAYS)
  const weeks = await daysAround(db, 'active_week', inStreak)
  await reconcile(
    ctx,
    [...Map.groupBy(inStreak, ({ userId }) => userId)].flatMap(([userId, own]) =>
      fullWeeks(own.map(({ day }) => day).sort(), active(userId), weeks(userId)).map((end) =>
        awardOf('active_week', visitKey({ userId, day: end }), userId, now, end),
      ),
    ),
  )
}

/**
 * Each listener reconciles the ledger with the current state: events may be processed out of order, and points for what was deleted are
 * reversed by ledger rows.
 */
export const leaderboardListeners: readonly Listener[] = [
  projector('feed.published', RECONCILE_JOB, loadFeedFacts, reconcileFeeds),
  projector('feed.hidden', RECONCILE_JOB, loadFeedFacts, reconcileFeeds),
  projector('feed.updated', RECONCILE_JOB, loadFeedFacts, reconcileFeeds),
  projector('comment.published', RECONCILE_JOB, loadCommentFacts, reconcileWith(commentTargets)),
  projector('comment.updated', RECONCILE_JOB, loadCommentFacts, reconcileWith(commentTargets)),
  projector('comment.marked_helpful', RECONCILE_JOB, loadCommentFacts, reconcileWith(helpfulTargets)),
  projector('comment.unmarked_helpful', RECONCILE_JOB, loadCommentFacts, reconcileWith(helpfulTargets)),
  projector('reaction.added', RECONCILE_JOB, loadReactionFacts, reconcileWith(reactionTargets)),
  projector('reaction.removed', RECONCILE_JOB, loadReactionFacts, reconcileWith(reactionTargets)),
  on('feed.deleted', RECONCILE_JOB, (ctx, deleted) => reconcileBatch(ctx, 'feed_id', idsOf(deleted, 'feed_id'))),
  on('comment.deleted', RECONCILE_JOB, (ctx, deleted) => reconcileBatch(ctx, 'comment_id', idsOf(deleted, 'comment_id'))),
  on('space.deleted', RECONCILE_JOB, (ctx, deleted) => reconcileBatch(ctx, 'space_id', idsOf(deleted, 'space_id'))),
  projector('space.member_joined', RECONCILE_JOB, loadMembershipFacts, reconcileWith(joinTargets)),
  projector('space.member_invited', RECONCILE_JOB, loadMembershipFacts, reconcileWith(joinTargets)),
  projector('course.completed', RECONCILE_JOB, loadStudentFacts, reconcileWith(courseTargets)),
  projector('user.profile_updated', RECONCILE_JOB, loadUserFacts, reconcileWith(profileTargets)),
  on('user.active', RECONCILE_JOB, awardVisits),
]
