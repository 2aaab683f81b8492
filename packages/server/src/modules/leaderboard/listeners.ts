import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type Db, lockRows, statementExists, statementOne } from '../../db/index.ts'
import { job, type Listener, on, onBatch, projector, withPriority } from '../../jobs/index.ts'
import { type CommentFacts, loadCommentFacts } from '../comments/index.ts'
import { type FeedFacts, loadFeedFacts } from '../feeds/index.ts'
import { completeness, type Fillable } from '../members/index.ts'
import { loadReactionFacts, type ReactionFacts } from '../reactions/index.ts'
import { dayOf } from '../settings/index.ts'
import { lastEntries, lockPoints } from './ledger.ts'
import { awardOnce, type PointsState, reconcile, type TargetState } from './reconcile.ts'
import { addDays, fullWeeks, type LedgerKind, STREAK_DAYS } from './rules.ts'

const eventAt = statementOne<{ created_at: string }>('select created_at from events where id = $1')
const spaceExists = statementExists('select id from spaces where id = $1')
const profileOf = statementOne<Fillable>(
  'select first_name, last_name, short_description, location, website, avatar, cover_photo, social_links from users where id = $1',
)

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

const withAuthor = <Facts extends { readonly has_author: 0 | 1 }>(facts: readonly Facts[]) =>
  facts.filter(({ has_author }) => has_author === 1)
const reconcileWith =
  <Facts extends { readonly has_author: 0 | 1 }>(targetsFor: (facts: readonly Facts[]) => TargetState[]) =>
  async (ctx: WriteContext, facts: readonly Facts[]): Promise<void> =>
    void (await reconcile(ctx, targetsFor(withAuthor(facts))))

/** Name of the listeners, and of the job that continues a batch. */
const SETTLE_JOB = 'leaderboard.settle'
const BATCH_SIZE = 100

interface BatchInput {
  readonly of: keyof typeof OPEN_ENTRIES
  readonly id: number
  /** Id of the last entry processed. */
  readonly after: number
}

/** Reconciles feeds. If one moved to another space, a job also moves the points that others earned with it. */
const reconcileFeeds = async (ctx: WriteContext, feeds: readonly FeedFacts[]): Promise<void> => {
  const { before } = await reconcile(ctx, postTargets(withAuthor(feeds)))
  for (const { id, space_id } of feeds) {
    const entry = before.get(postKey(id))
    if (entry && entry.space_id !== space_id) await ctx.enqueue(SETTLE_JOB, { of: 'feed_id', id, after: 0 } satisfies BatchInput)
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
  const owners = await lockPoints(
    ctx.db,
    entries.map(({ user_id }) => user_id),
  )
  await lockRows(ctx.db, 'feeds', [...new Set(entries.flatMap(({ feed_id }) => feed_id ?? []))])
  await reconcile(
    ctx,
    (await targetsOf(ctx, entries)).filter(({ userId }) => owners.has(userId)),
  )
  const last = entries.at(-1)
  if (!last || entries.length < BATCH_SIZE) return
  await ctx.enqueueEach(
    SETTLE_JOB,
    ids.map((id): BatchInput => ({ of, id, after: last.id })),
  )
}
export const reconcileAll = job<BatchInput>(SETTLE_JOB, (ctx, { of, id, after }) => reconcileBatch(ctx, of, [id], after))

/** Locks the points of a user. Returns false if the account does not exist. */
const lockUserPoints = async ({ db }: WriteContext, userId: number): Promise<boolean> => (await lockPoints(db, [userId])).has(userId)

/** The time of the event; the job may run after the end of that day. */
const timeOfEvent = async ({ db, now }: WriteContext, eventId: number | null): Promise<string> =>
  (eventId === null ? undefined : await eventAt(db, [eventId]))?.created_at ?? now

/** Awards something to a member once, outside of spaces. Returns whether it was awarded for the first time. */
const award = (ctx: WriteContext, kind: LedgerKind, item: string, userId: number, at: string, day?: string): Promise<boolean> =>
  awardOnce(ctx, { kind, dedupKey: `${kind}:${item}` }, { userId, spaceId: null, at, ...(day && { day }) })

/** Joining a space counts in the community only: the leaderboard of the space must not reveal who is merely a member. */
const awardJoin = async (
  ctx: WriteContext,
  { space_id, user_id }: { readonly space_id: number; readonly user_id: number },
  eventId: number | null,
) => {
  if (!(await lockUserPoints(ctx, user_id)) || !(await spaceExists(ctx.db, [space_id]))) return
  await award(ctx, 'space_joined', `space:${space_id}:user:${user_id}`, user_id, await timeOfEvent(ctx, eventId))
}

/** The days around a day for which a user has an entry of this kind. */
const daysAround = async (db: Db, kind: LedgerKind, userId: number, day: string): Promise<Set<string>> => {
  const days = Array.from({ length: 4 * STREAK_DAYS + 1 }, (_, i) => addDays(day, i - 2 * STREAK_DAYS))
  const entries = await lastEntries(
    db,
    days.map((one) => `${kind}:user:${userId}:${one}`),
  )
  return new Set([...entries.values()].map((entry) => entry.day))
}

/** Awards the visit of a day and the full weeks it completes. */
const awardVisit = async (
  ctx: WriteContext,
  { user_id, seen_at = ctx.now }: { readonly user_id: number; readonly seen_at?: string | undefined },
) => {
  const { db } = ctx
  if (!(await lockUserPoints(ctx, user_id))) return
  const day = await dayOf(db, seen_at)
  if (!(await award(ctx, 'daily_login', `user:${user_id}:${day}`, user_id, seen_at))) return
  const active = await daysAround(db, 'daily_login', user_id, day)
  if (active.size < STREAK_DAYS) return
  for (const end of fullWeeks(day, active, await daysAround(db, 'active_week', user_id, day)))
    await award(ctx, 'active_week', `user:${user_id}:${end}`, user_id, seen_at, end)
}

const idsOf = <K extends string>(payloads: readonly Readonly<Record<K, number>>[], key: K): number[] => [
  ...new Set(payloads.map((one) => one[key])),
]

/**
 * Each listener reconciles the ledger with the current state: events may be processed out of order, and points for what was deleted are
 * reversed by ledger rows.
 */
export const leaderboardListeners: readonly Listener[] = withPriority([
  projector('feed.published', SETTLE_JOB, loadFeedFacts, reconcileFeeds),
  projector('feed.hidden', SETTLE_JOB, loadFeedFacts, reconcileFeeds),
  projector('feed.updated', SETTLE_JOB, loadFeedFacts, reconcileFeeds),
  projector('comment.published', SETTLE_JOB, loadCommentFacts, reconcileWith(commentTargets)),
  projector('comment.updated', SETTLE_JOB, loadCommentFacts, reconcileWith(commentTargets)),
  projector('comment.marked_helpful', SETTLE_JOB, loadCommentFacts, reconcileWith(helpfulTargets)),
  projector('comment.unmarked_helpful', SETTLE_JOB, loadCommentFacts, reconcileWith(helpfulTargets)),
  projector('reaction.added', SETTLE_JOB, loadReactionFacts, reconcileWith(reactionTargets)),
  projector('reaction.removed', SETTLE_JOB, loadReactionFacts, reconcileWith(reactionTargets)),
  onBatch('feed.deleted', SETTLE_JOB, (ctx, deleted) => reconcileBatch(ctx, 'feed_id', idsOf(deleted, 'feed_id'))),
  onBatch('comment.deleted', SETTLE_JOB, (ctx, deleted) => reconcileBatch(ctx, 'comment_id', idsOf(deleted, 'comment_id'))),
  onBatch('space.deleted', SETTLE_JOB, (ctx, deleted) => reconcileBatch(ctx, 'space_id', idsOf(deleted, 'space_id'))),
  on('space.member_joined', SETTLE_JOB, awardJoin),
  on('space.member_invited', SETTLE_JOB, awardJoin),
  on('course.completed', SETTLE_JOB, async (ctx, { course_id, user_id }, eventId) => {
    if (!(await lockUserPoints(ctx, user_id))) return
    await award(ctx, 'course_completed', `course:${course_id}:user:${user_id}`, user_id, await timeOfEvent(ctx, eventId))
  }),
  on('user.profile_updated', SETTLE_JOB, async (ctx, { user_id }, eventId) => {
    if (!(await lockUserPoints(ctx, user_id))) return
    const profile = await profileOf(ctx.db, [user_id])
    if (!profile || completeness(profile) < 100) return
    await award(ctx, 'profile_completed', `user:${user_id}`, user_id, await timeOfEvent(ctx, eventId))
  }),
  on('user.active', SETTLE_JOB, awardVisit),
])
