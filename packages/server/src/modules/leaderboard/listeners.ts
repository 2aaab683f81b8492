import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type Db, lockPeople, statement, statementOne } from '../../db/index.ts'
import { first, job, type Listener, on, onMany } from '../../jobs/index.ts'
import { completeness, type Fillable } from '../members/index.ts'
import { dayOf } from '../settings/index.ts'
import { holdPoints, lastEntries } from './ledger.ts'
import { earnOnce, type Found, type PointsState, type Source, settle, type Thing } from './reconcile.ts'
import { dayAfter, fullWeeks, type LedgerKind, STREAK_DAYS } from './rules.ts'

const NAMED = { id: 'bigint' } as const
interface FeedRow {
  readonly id: number
  readonly user_id: number
  readonly space_id: number | null
  readonly status: string
  readonly published_at: string
}
const postsOf = batchStatement<FeedRow>(
  NAMED,
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
  NAMED,
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
/** Whom reactions of somebody else are for. */
const reactionsOf = batchStatement<ReactionRow>(
  NAMED,
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
/** What stands of a feed, comment or space, some rows at a time. */
const standing = (column: string, and = '') =>
  statement<OpenRow>(
    `select l.id, l.user_id, l.kind, l.dedup_key, l.feed_id, l.comment_id from points_ledger l where l.${column} = $1 and l.id > $2 and l.reverses is null${and}
     and not exists (select 1 from points_ledger r where r.reverses = l.id) order by l.id limit $3`,
  )
const STANDING = {
  feed_id: standing('feed_id'),
  comment_id: standing('comment_id'),
  space_id: standing('space_id', ' and l.feed_id is not null'),
}

/** How things are found of which the rows tell everything. */
const source = <Row extends { readonly id: number; readonly user_id: number }>(
  of: NonNullable<Source['of']>,
  rowsOf: (db: Db, rows: readonly (readonly number[])[]) => Promise<readonly Row[]>,
  standingsOf: (row: Row) => Found['standings'],
): Source => ({
  of,
  find: async (db, ids) => {
    const rows = await rowsOf(
      db,
      ids.map((id) => [id]),
    )
    return new Map(rows.map((row) => [row.id, { userId: row.user_id, standings: standingsOf(row) }]))
  },
})

const POSTS = source('feeds', postsOf, ({ id: feedId, user_id: userId, space_id: spaceId, status, published_at: at }) =>
  status === 'published' ? { post_created: { userId, spaceId, feedId, at } } : {},
)

/** Comments that are published, and since when they help somebody else than their author. */
const COMMENTS = source('comments', commentsOf, ({ user_id: userId, space_id: spaceId, helpful_by, helpful_at, ...row }) => {
  if (row.status !== 'published') return {}
  const made: PointsState = { userId, spaceId, feedId: row.feed_id, commentId: row.id, at: row.created_at }
  const helps = helpful_at !== null && helpful_by !== userId
  return { comment_made: made, ...(helps && { helpful_vote: { ...made, at: helpful_at } }) }
})

const REACTIONS = source('reactions', reactionsOf, ({ user_id: userId, space_id: spaceId, feed_id, comment_id, created_at: at }) => ({
  reaction_received: { userId, spaceId, feedId: feed_id, commentId: comment_id, at },
}))

const subjectOfPost = (feedId: number) => `post_created:feed:${feedId}`
const postThing = (id: number): Thing => ({ id, subjects: [{ kind: 'post_created', subject: subjectOfPost(id) }] })
const reconcilePost = (ctx: WriteContext, { feed_id }: { readonly feed_id: number }) => settle(ctx, POSTS, [postThing(feed_id)])

interface CommentIds {
  readonly comment_id: number
  readonly feed_id: number
}
const made = (id: number) => ({ kind: 'comment_made', subject: `comment_made:comment:${id}` }) as const
const helped = (id: number) => ({ kind: 'helpful_vote', subject: `helpful_vote:comment:${id}` }) as const
const reconcileComments = (ctx: WriteContext, comments: readonly CommentIds[]) =>
  settle(
    ctx,
    COMMENTS,
    comments.map(({ comment_id: id, feed_id: feedId }) => ({ id, feedId, subjects: [made(id), helped(id)] })),
  )
const reconcileHelpful = (ctx: WriteContext, comments: readonly CommentIds[]) =>
  settle(
    ctx,
    COMMENTS,
    comments.map(({ comment_id: id, feed_id: feedId }) => ({ id, feedId, subjects: [helped(id)] })),
  )

interface ReactionIds {
  readonly reaction_id: number
  readonly feed_id: number
}
const reconcileReactions = (ctx: WriteContext, reactions: readonly ReactionIds[]) =>
  settle(
    ctx,
    REACTIONS,
    reactions.map(({ reaction_id: id, feed_id: feedId }) => ({
      id,
      feedId,
      subjects: [{ kind: 'reaction_received', subject: `reaction_received:reaction:${id}` }],
    })),
  )

/** What stands in the ledger of a thing looks again at what it was earned with. */
const lookAgain = (ctx: WriteContext, row: OpenRow): Promise<void> => {
  const { kind, dedup_key } = row
  const id = Number(/(\d+)$/.exec(dedup_key)?.[1])
  const feed_id = row.feed_id ?? 0
  if (kind === 'post_created') return reconcilePost(ctx, { feed_id: id })
  if (kind === 'comment_made') return settle(ctx, COMMENTS, [{ id, feedId: feed_id, subjects: [made(id)] }])
  if (kind === 'helpful_vote') return reconcileHelpful(ctx, [{ comment_id: id, feed_id }])
  return reconcileReactions(ctx, [{ reaction_id: id, feed_id }])
}

const AT_ONCE = 100

interface Round {
  readonly of: keyof typeof STANDING
  readonly id: number
  /** The last row that was looked at. */
  readonly after: number
}

/** Looks again at all that was earned with a thing that went, or went elsewhere; some rows in a job. */
const settleRound = async (ctx: WriteContext, { of, id, after }: Round): Promise<void> => {
  const rows = await STANDING[of](ctx.db, [id, after, AT_ONCE])
  const people = [...new Set(rows.map((row) => row.user_id))].sort((a, b) => a - b)
  if (people.length > 0) await lockPeople(ctx.db, people)
  for (const row of rows) await lookAgain(ctx, row)
  const last = rows.at(-1)
  if (last && rows.length === AT_ONCE) await ctx.enqueue('leaderboard.settle', { of, id, after: last.id })
}
export const reconcileAll = job<Round>('leaderboard.settle', settleRound)

/** Settles a feed; where it stands elsewhere than when it was looked at before, also what others earned with it there. */
const reconcileFeed = async (ctx: WriteContext, { feed_id }: { readonly feed_id: number }): Promise<void> => {
  const before = (await lastEntries(ctx.db, [subjectOfPost(feed_id)])).get(subjectOfPost(feed_id))
  await reconcilePost(ctx, { feed_id })
  const [after] = before ? await postsOf(ctx.db, [[feed_id]]) : []
  if (after && after.space_id !== before?.space_id) await settleRound(ctx, { of: 'feed_id', id: feed_id, after: 0 })
}

/** Holds somebody's points; false where there is no such account. */
const lockOne = async ({ db }: WriteContext, userId: number): Promise<boolean> => (await holdPoints(db, [userId])).has(userId)

/** When it happened: a job may wait past the end of the day. */
const momentOf = async ({ db, now }: WriteContext, eventId: number | null): Promise<string> =>
  (eventId === null ? undefined : await eventAt(db, [eventId]))?.created_at ?? now

/** Joining counts in the community alone: the board of a space, which others may read, does not tell who is merely in it. */
const joinedSpace = async (
  ctx: WriteContext,
  { space_id, user_id }: { readonly space_id: number; readonly user_id: number },
  eventId: number | null,
) => {
  if (!(await lockOne(ctx, user_id)) || !(await spaceExists(ctx.db, [space_id]))) return
  const subject = { kind: 'space_joined', subject: `space_joined:space:${space_id}:user:${user_id}` } as const
  await earnOnce(ctx, subject, { userId: user_id, spaceId: null, at: await momentOf(ctx, eventId) })
}

const daysOf = statement<{ kind: LedgerKind; day: string }>(
  `select kind, day from points_ledger where user_id = $1 and kind in ('daily_login', 'active_week') and day >= $2 and day <= $3`,
)

/** A day with a request, and the weeks without a break that it makes full. */
const wasHere = async (
  ctx: WriteContext,
  { user_id, seen_at = ctx.now }: { readonly user_id: number; readonly seen_at?: string | undefined },
) => {
  const { db } = ctx
  if (!(await lockOne(ctx, user_id))) return
  const day = await dayOf(db, seen_at)
  const standing = { userId: user_id, spaceId: null, at: seen_at }
  if (!(await earnOnce(ctx, { kind: 'daily_login', subject: `daily_login:user:${user_id}:${day}` }, standing))) return
  const rows = await daysOf(db, [user_id, dayAfter(day, -2 * STREAK_DAYS), dayAfter(day, 2 * STREAK_DAYS)])
  const days = (kind: LedgerKind) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.day))
  for (const end of fullWeeks(day, days('daily_login'), days('active_week')))
    await earnOnce(ctx, { kind: 'active_week', subject: `active_week:user:${user_id}:${end}` }, { ...standing, day: end })
}

/**
 * Each job looks at what stands now and brings the ledger in line: events may be worked off in another order than they happened in, and what
 * is gone is taken back by the ledger's own rows.
 */
export const leaderboardListeners: readonly Listener[] = first([
  on('feed.published', 'leaderboard.settle', reconcileFeed),
  on('feed.hidden', 'leaderboard.settle', reconcileFeed),
  on('feed.updated', 'leaderboard.settle', reconcileFeed),
  on('feed.deleted', 'leaderboard.settle', (ctx, { feed_id }) => settleRound(ctx, { of: 'feed_id', id: feed_id, after: 0 })),
  on('space.deleted', 'leaderboard.settle', (ctx, { space_id }) => settleRound(ctx, { of: 'space_id', id: space_id, after: 0 })),
  onMany('comment.published', 'leaderboard.settle', reconcileComments),
  onMany('comment.updated', 'leaderboard.settle', reconcileComments),
  on('comment.deleted', 'leaderboard.settle', (ctx, { comment_id }) => settleRound(ctx, { of: 'comment_id', id: comment_id, after: 0 })),
  onMany('comment.marked_helpful', 'leaderboard.settle', reconcileHelpful),
  onMany('comment.unmarked_helpful', 'leaderboard.settle', reconcileHelpful),
  onMany('reaction.added', 'leaderboard.settle', reconcileReactions),
  onMany('reaction.removed', 'leaderboard.settle', reconcileReactions),
  on('space.member_joined', 'leaderboard.settle', joinedSpace),
  on('space.member_invited', 'leaderboard.settle', joinedSpace),
  on('course.completed', 'leaderboard.settle', async (ctx, { course_id, user_id }, eventId) => {
    const at = await momentOf(ctx, eventId)
    const subject = { kind: 'course_completed', subject: `course_completed:course:${course_id}:user:${user_id}` } as const
    const standings = { course_completed: { userId: user_id, spaceId: null, at } }
    const find = async () => new Map([[course_id, { userId: user_id, standings }]])
    await settle(ctx, { find }, [{ id: course_id, subjects: [subject] }])
  }),
  on('user.profile_updated', 'leaderboard.settle', async (ctx, { user_id }, eventId) => {
    if (!(await lockOne(ctx, user_id))) return
    const profile = await profileOf(ctx.db, [user_id])
    if (!profile || completeness(profile) < 100) return
    await earnOnce(
      ctx,
      { kind: 'profile_completed', subject: `profile_completed:user:${user_id}` },
      { userId: user_id, spaceId: null, at: await momentOf(ctx, eventId) },
    )
  }),
  on('user.active', 'leaderboard.settle', wasHere),
])
