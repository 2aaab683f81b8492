import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type Db, lockUsers, statement, statementOne } from '../../db/index.ts'
import { job, type Listener, on, onBatch, withPriority } from '../../jobs/index.ts'
import { completeness, type Fillable } from '../members/index.ts'
import { dayOf } from '../settings/index.ts'
import { lastEntries, lockPoints } from './ledger.ts'
import { awardOnce, type FoundItem, type LedgerItem, type PointsState, reconcile, type Source } from './reconcile.ts'
import { addDays, fullWeeks, type LedgerKind, STREAK_DAYS } from './rules.ts'

const ID_COLUMN = { id: 'bigint' } as const
interface FeedRow {
  readonly id: number
  readonly user_id: number
  readonly space_id: number | null
  readonly status: string
  readonly published_at: string
}
const postsOf = batchStatement<FeedRow>(
  ID_COLUMN,
  (rows) =>
    `select f.id, f.user_id, f.space_id, f.status, f.published_at from ${rows} d join feeds f on f.id = d.id where f.lesson_id is null`,
)
interface CommentRow {
  readonly id: number
  readonly feed_id: number
  readonly user_id: number
  readonly space_id: number | null
  readonly status: string
  readonly created_at: string
  readonly helpful_at: string | null
  readonly helpful_by: number | null
}
const commentsOf = batchStatement<CommentRow>(
  ID_COLUMN,
  (rows) => `select c.id, c.post_id as feed_id, c.user_id, f.space_id, c.status, c.created_at, c.helpful_at, c.helpful_by from ${rows} d
    join comments c on c.id = d.id join feeds f on f.id = c.post_id`,
)
interface ReactionRow {
  readonly id: number
  readonly feed_id: number
  readonly comment_id: number | null
  readonly user_id: number
  readonly space_id: number | null
  readonly created_at: string
}
/** Reactions and the users who receive them, without reactions to own content. */
const reactionsOf = batchStatement<ReactionRow>(
  ID_COLUMN,
  (rows) => `select r.id, r.feed_id, r.comment_id, coalesce(c.user_id, f.user_id) as user_id, f.space_id, r.created_at from ${rows} d
    join reactions r on r.id = d.id join feeds f on f.id = r.feed_id left join comments c on c.id = r.comment_id
    where r.user_id <> coalesce(c.user_id, f.user_id)`,
)
const eventAt = statementOne<{ created_at: string }>('select created_at from events where id = $1')
const spaceExists = statementOne<{ id: number }>('select id from spaces where id = $1')
const profileOf = statementOne<Fillable>(
  'select first_name, last_name, short_description, location, website, avatar, cover_photo, social_links from users where id = $1',
)

interface OpenRow {
  readonly id: number
  readonly user_id: number
  readonly kind: LedgerKind
  readonly dedup_key: string
  readonly feed_id: number | null
  readonly comment_id: number | null
}
/** Ledger entries in effect for a feed, comment or space, in batches. */
const openEntriesOf = (column: string, and = '') =>
  statement<OpenRow>(
    `select l.id, l.user_id, l.kind, l.dedup_key, l.feed_id, l.comment_id from points_ledger l where l.${column} = $1 and l.id > $2 and l.reverses is null${and}
     and not exists (select 1 from points_ledger r where r.reverses = l.id) order by l.id limit $3`,
  )
const OPEN_ENTRIES = {
  feed_id: openEntriesOf('feed_id'),
  comment_id: openEntriesOf('comment_id'),
  space_id: openEntriesOf('space_id', ' and l.feed_id is not null'),
}

/** A source whose rows contain everything needed. */
const source = <Row extends { readonly id: number; readonly user_id: number }>(
  of: NonNullable<Source['lockedTable']>,
  rowsOf: (db: Db, ids: readonly number[]) => Promise<readonly Row[]>,
  statesOf: (row: Row) => FoundItem['states'],
): Source => ({
  lockedTable: of,
  find: async (db, ids) => {
    const rows = await rowsOf(db, ids)
    return new Map(rows.map((row) => [row.id, { userId: row.user_id, states: statesOf(row) }]))
  },
})

const POSTS = source('feeds', postsOf, ({ id: feedId, user_id: userId, space_id: spaceId, status, published_at: at }) =>
  status === 'published' ? { post_created: { userId, spaceId, feedId, at } } : {},
)

/** Published comments, and since when someone other than their author marks them as helpful. */
const COMMENTS = source('comments', commentsOf, ({ user_id: userId, space_id: spaceId, helpful_by, helpful_at, ...row }) => {
  if (row.status !== 'published') return {}
  const madeSubject: PointsState = { userId, spaceId, feedId: row.feed_id, commentId: row.id, at: row.created_at }
  const isHelpful = helpful_at !== null && helpful_by !== userId
  return { comment_made: madeSubject, ...(isHelpful && { helpful_vote: { ...madeSubject, at: helpful_at } }) }
})

const REACTIONS = source('reactions', reactionsOf, ({ user_id: userId, space_id: spaceId, feed_id, comment_id, created_at: at }) => ({
  reaction_received: { userId, spaceId, feedId: feed_id, commentId: comment_id, at },
}))

const postKey = (feedId: number) => `post_created:feed:${feedId}`
const postItem = (id: number): LedgerItem => ({ id, subjects: [{ kind: 'post_created', dedupKey: postKey(id) }] })
const reconcilePost = (ctx: WriteContext, { feed_id }: { readonly feed_id: number }) => reconcile(ctx, POSTS, [postItem(feed_id)])

interface CommentIds {
  readonly comment_id: number
  readonly feed_id: number
}
const madeSubject = (id: number) => ({ kind: 'comment_made', dedupKey: `comment_made:comment:${id}` }) as const
const helpfulSubject = (id: number) => ({ kind: 'helpful_vote', dedupKey: `helpful_vote:comment:${id}` }) as const
const reconcileComments = (ctx: WriteContext, comments: readonly CommentIds[]) =>
  reconcile(
    ctx,
    COMMENTS,
    comments.map(({ comment_id: id, feed_id: feedId }) => ({ id, feedId, subjects: [madeSubject(id), helpfulSubject(id)] })),
  )
const reconcileHelpful = (ctx: WriteContext, comments: readonly CommentIds[]) =>
  reconcile(
    ctx,
    COMMENTS,
    comments.map(({ comment_id: id, feed_id: feedId }) => ({ id, feedId, subjects: [helpfulSubject(id)] })),
  )

interface ReactionIds {
  readonly reaction_id: number
  readonly feed_id: number
}
const reconcileReactions = (ctx: WriteContext, reactions: readonly ReactionIds[]) =>
  reconcile(
    ctx,
    REACTIONS,
    reactions.map(({ reaction_id: id, feed_id: feedId }) => ({
      id,
      feedId,
      subjects: [{ kind: 'reaction_received', dedupKey: `reaction_received:reaction:${id}` }],
    })),
  )

/** Reconciles the source of a ledger entry. */
const reconcileEntry = (ctx: WriteContext, row: OpenRow): Promise<void> => {
  const { kind, dedup_key } = row
  const id = Number(/(\d+)$/.exec(dedup_key)?.[1])
  const feed_id = row.feed_id ?? 0
  if (kind === 'post_created') return reconcilePost(ctx, { feed_id: id })
  if (kind === 'comment_made') return reconcile(ctx, COMMENTS, [{ id, feedId: feed_id, subjects: [madeSubject(id)] }])
  if (kind === 'helpful_vote') return reconcileHelpful(ctx, [{ comment_id: id, feed_id }])
  return reconcileReactions(ctx, [{ reaction_id: id, feed_id }])
}

const BATCH_SIZE = 100

interface BatchInput {
  readonly of: keyof typeof OPEN_ENTRIES
  readonly id: number
  /** Id of the last entry processed. */
  readonly after: number
}

/** Reconciles all points earned with an item that was deleted or moved, in batches. */
const reconcileBatch = async (ctx: WriteContext, { of, id, after }: BatchInput): Promise<void> => {
  const rows = await OPEN_ENTRIES[of](ctx.db, [id, after, BATCH_SIZE])
  const people = [...new Set(rows.map((row) => row.user_id))].sort((a, b) => a - b)
  if (people.length > 0) await lockUsers(ctx.db, people)
  for (const row of rows) await reconcileEntry(ctx, row)
  const last = rows.at(-1)
  if (last && rows.length === BATCH_SIZE) await ctx.enqueue('leaderboard.settle', { of, id, after: last.id })
}
export const reconcileAll = job<BatchInput>('leaderboard.settle', reconcileBatch)

/** Reconciles a feed. If it moved to another space, also reconciles points that others earned with it. */
const reconcileFeed = async (ctx: WriteContext, { feed_id }: { readonly feed_id: number }): Promise<void> => {
  const before = (await lastEntries(ctx.db, [postKey(feed_id)])).get(postKey(feed_id))
  await reconcilePost(ctx, { feed_id })
  const [after] = before ? await postsOf(ctx.db, [[feed_id]]) : []
  if (after && after.space_id !== before?.space_id) await reconcileBatch(ctx, { of: 'feed_id', id: feed_id, after: 0 })
}

/** Locks the points of a user. Returns false if the account does not exist. */
const lockUserPoints = async ({ db }: WriteContext, userId: number): Promise<boolean> => (await lockPoints(db, [userId])).has(userId)

/** The time of the event; the job may run after the end of that day. */
const timeOfEvent = async ({ db, now }: WriteContext, eventId: number | null): Promise<string> =>
  (eventId === null ? undefined : await eventAt(db, [eventId]))?.created_at ?? now

/** Joining a space counts in the community only: the leaderboard of the space must not reveal who is merely a member. */
const awardJoin = async (
  ctx: WriteContext,
  { space_id, user_id }: { readonly space_id: number; readonly user_id: number },
  eventId: number | null,
) => {
  if (!(await lockUserPoints(ctx, user_id)) || !(await spaceExists(ctx.db, [space_id]))) return
  const subject = { kind: 'space_joined', dedupKey: `space_joined:space:${space_id}:user:${user_id}` } as const
  await awardOnce(ctx, subject, { userId: user_id, spaceId: null, at: await timeOfEvent(ctx, eventId) })
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
  const openEntriesOf = { userId: user_id, spaceId: null, at: seen_at }
  if (!(await awardOnce(ctx, { kind: 'daily_login', dedupKey: `daily_login:user:${user_id}:${day}` }, openEntriesOf))) return
  const active = await daysAround(db, 'daily_login', user_id, day)
  if (active.size < STREAK_DAYS) return
  for (const end of fullWeeks(day, active, await daysAround(db, 'active_week', user_id, day)))
    await awardOnce(ctx, { kind: 'active_week', dedupKey: `active_week:user:${user_id}:${end}` }, { ...openEntriesOf, day: end })
}

/**
 * Each job reconciles the ledger with the current state: events may be processed out of order, and points for what was deleted are reversed
 * by ledger rows.
 */
export const leaderboardListeners: readonly Listener[] = withPriority([
  on('feed.published', 'leaderboard.settle', reconcileFeed),
  on('feed.hidden', 'leaderboard.settle', reconcileFeed),
  on('feed.updated', 'leaderboard.settle', reconcileFeed),
  on('feed.deleted', 'leaderboard.settle', (ctx, { feed_id }) => reconcileBatch(ctx, { of: 'feed_id', id: feed_id, after: 0 })),
  on('space.deleted', 'leaderboard.settle', (ctx, { space_id }) => reconcileBatch(ctx, { of: 'space_id', id: space_id, after: 0 })),
  onBatch('comment.published', 'leaderboard.settle', reconcileComments),
  onBatch('comment.updated', 'leaderboard.settle', reconcileComments),
  on('comment.deleted', 'leaderboard.settle', (ctx, { comment_id }) => reconcileBatch(ctx, { of: 'comment_id', id: comment_id, after: 0 })),
  onBatch('comment.marked_helpful', 'leaderboard.settle', reconcileHelpful),
  onBatch('comment.unmarked_helpful', 'leaderboard.settle', reconcileHelpful),
  onBatch('reaction.added', 'leaderboard.settle', reconcileReactions),
  onBatch('reaction.removed', 'leaderboard.settle', reconcileReactions),
  on('space.member_joined', 'leaderboard.settle', awardJoin),
  on('space.member_invited', 'leaderboard.settle', awardJoin),
  on('course.completed', 'leaderboard.settle', async (ctx, { course_id, user_id }, eventId) => {
    const at = await timeOfEvent(ctx, eventId)
    const subject = { kind: 'course_completed', dedupKey: `course_completed:course:${course_id}:user:${user_id}` } as const
    const states = { course_completed: { userId: user_id, spaceId: null, at } }
    const find = async () => new Map([[course_id, { userId: user_id, states }]])
    await reconcile(ctx, { find }, [{ id: course_id, subjects: [subject] }])
  }),
  on('user.profile_updated', 'leaderboard.settle', async (ctx, { user_id }, eventId) => {
    if (!(await lockUserPoints(ctx, user_id))) return
    const profile = await profileOf(ctx.db, [user_id])
    if (!profile || completeness(profile) < 100) return
    await awardOnce(
      ctx,
      { kind: 'profile_completed', dedupKey: `profile_completed:user:${user_id}` },
      { userId: user_id, spaceId: null, at: await timeOfEvent(ctx, eventId) },
    )
  }),
  on('user.active', 'leaderboard.settle', awardVisit),
])
