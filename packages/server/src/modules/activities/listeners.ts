import type { EventName, EventPayload } from '@lyceum/contract'
import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type LockableTable, lockRow, lockRows, statementExists } from '../../db/index.ts'
import { job, type Listener, on, projector } from '../../jobs/index.ts'
import { loadCommentFacts } from '../comments/index.ts'
import { type FeedFacts, loadFeedFacts } from '../feeds/index.ts'
import { loadReactionFacts, type ReactionFacts } from '../reactions/index.ts'

interface NewActivity {
  readonly user_id: number
  readonly action_type: string
  readonly object_type: 'feed' | 'comment' | 'space' | 'user' | 'course' | 'lesson'
  readonly object_id: number
  readonly space_id?: number | null
  readonly feed_id?: number | null
  readonly comment_id?: number | null
}

const KEY_TYPES = { object_type: 'text', object_id: 'bigint', action_type: 'text', user_id: 'bigint' } as const
const TYPES = { ...KEY_TYPES, space_id: 'bigint', feed_id: 'bigint', comment_id: 'bigint' } as const
const KEYS = Object.keys(KEY_TYPES) as (keyof typeof KEY_TYPES)[]
const COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[]
const SAME_KEY = KEYS.map((name) => `a.${name} = d.${name}`).join(' and ')
const insertStatement = (where: string) =>
  batchStatement(
    TYPES,
    (rows) => `insert into activities (${COLUMNS.join(', ')}, created_at)
      select ${COLUMNS.map((name) => `d.${name}`).join(', ')}, $2 from ${rows} d where ${where}`,
  )
const insert = insertStatement('1 = 1')
const insertOnce = insertStatement(`not exists (select 1 from activities a where ${SAME_KEY})`)
const deleteAll = batchStatement(
  KEY_TYPES,
  (rows) => `delete from activities where id in (select a.id from ${rows} d cross join activities a where ${SAME_KEY})`,
)
interface BookmarkFacts {
  readonly user_id: number
  readonly feed_id: number
  readonly space_id: number | null
  readonly is_present: 0 | 1
}
const bookmarksOf = batchStatement<BookmarkFacts>(
  { user_id: 'bigint', feed_id: 'bigint' },
  (rows) => `select d.user_id, d.feed_id, f.space_id,
    case when exists (select 1 from bookmarks b where b.feed_id = d.feed_id and b.user_id = d.user_id) then 1 else 0 end as is_present
    from ${rows} d join feeds f on f.id = d.feed_id`,
)
const refreshUpdate = statementExists(
  `update activities set created_at = $3 where id = (select max(id) from activities where object_type = 'user' and object_id = $1
   and action_type = 'profile_updated') and created_at > $2 returning id`,
)
const userExists = statementExists('select id from users where id = $1')

const MOVE_BATCH_SIZE = 200
/** Moves activities whose space differs from that of their feed. Three index lookups instead of a scan of the feed's activities. */
const moveMisplaced = batchStatement<{ id: number }>(
  { feed_id: 'bigint', space_id: 'bigint' },
  (rows) => `update activities set space_id = (select f.space_id from feeds f where f.id = activities.feed_id) where id in (select id from (
      select a.id from ${rows} d cross join activities a where a.feed_id = d.feed_id and a.space_id < coalesce(d.space_id, 0)
      union all select a.id from ${rows} d cross join activities a where a.feed_id = d.feed_id and a.space_id > coalesce(d.space_id, 0)
      union all select a.id from ${rows} d cross join activities a where a.feed_id = d.feed_id and a.space_id is null and d.space_id > 0
    ) as misplaced limit ${MOVE_BATCH_SIZE}) returning id`,
)

const activityOf = (
  user_id: number,
  action_type: string,
  object_type: NewActivity['object_type'],
  object_id: number,
  place: Pick<NewActivity, 'space_id' | 'feed_id' | 'comment_id'> = {},
): NewActivity => ({ user_id, action_type, object_type, object_id, ...place })

const valuesOf = (activity: NewActivity) => COLUMNS.map((name) => activity[name] ?? null)
/** Rows without duplicates; the columns of the key come first. */
const rowsOf = (activities: readonly NewActivity[], width = COLUMNS.length) => [
  ...new Map(activities.map(valuesOf).map((row) => [row.slice(0, KEYS.length).join(' '), row.slice(0, width)])).values(),
]

/** Records activities that exist at most once per person and object. The objects are locked. */
const recordOnce = async ({ db, now }: WriteContext, activities: readonly NewActivity[]): Promise<void> =>
  void (await insertOnce(db, rowsOf(activities), [now]))
const removeActivities = async ({ db }: WriteContext, activities: readonly NewActivity[]): Promise<void> =>
  void (await deleteAll(db, rowsOf(activities, KEYS.length)))

/** Adds or removes the activities of facts so that they match what exists. */
const reconcile =
  <Facts>(activity: (facts: Facts) => NewActivity, isPresent: (facts: Facts) => boolean) =>
  async (ctx: WriteContext, facts: readonly Facts[]): Promise<void> => {
    await recordOnce(ctx, facts.filter(isPresent).map(activity))
    await removeActivities(ctx, facts.filter((one) => !isPresent(one)).map(activity))
  }

const reconcileReactions = reconcile<ReactionFacts>(
  ({ user_id, space_id, feed_id, comment_id }) =>
    comment_id === null
      ? activityOf(user_id, 'reaction_added', 'feed', feed_id, { space_id, feed_id })
      : activityOf(user_id, 'reaction_added', 'comment', comment_id, { space_id, feed_id, comment_id }),
  ({ current_id }) => current_id !== null,
)

/** Locks the feeds first, so that concurrent changes below a feed, including this listener, are serialized. */
const loadBookmarkFacts = async ({ db }: WriteContext, events: readonly { readonly user_id: number; readonly feed_id: number }[]) => {
  const rows = events.map(({ user_id, feed_id }) => [user_id, feed_id] as const)
  await lockRows(db, 'feeds', [...new Set(rows.map(([, feedId]) => feedId))])
  return bookmarksOf(db, rows)
}
const reconcileBookmarks = reconcile<BookmarkFacts>(
  ({ user_id, feed_id, space_id }) => activityOf(user_id, 'bookmark_added', 'feed', feed_id, { space_id, feed_id }),
  ({ is_present }) => is_present === 1,
)

const moveActivitiesOf = async (ctx: WriteContext, feeds: readonly FeedFacts[]): Promise<void> => {
  const moved = await moveMisplaced(
    ctx.db,
    feeds.map(({ id, space_id }) => [id, space_id]),
  )
  if (moved.length < MOVE_BATCH_SIZE) return
  await ctx.enqueueEach(
    'activities.place',
    feeds.map(({ id }) => ({ feed_id: id })),
  )
}
export const moveActivities = job<{ feed_id: number }>('activities.place', async (ctx, named) =>
  moveActivitiesOf(ctx, await loadFeedFacts(ctx, [named])),
)

/** A statement for whether the event about object `$1` still holds for member `$2`. */
type Holds = ReturnType<typeof statementExists>

/** Records the activity of an event about one object, which is locked, or removes it if the event can be undone and does not hold. */
const recordOne = <N extends EventName>(
  event: N,
  name: string,
  table: LockableTable,
  activity: (payload: EventPayload<N>) => NewActivity,
  holds: Holds,
  { isUndone = false } = {},
): Listener =>
  on(event, name, async (ctx, payload) => {
    const one = activity(payload)
    await lockRows(ctx.db, table, table === 'users' ? [one.object_id, one.user_id] : [one.object_id])
    if (await holds(ctx.db, [one.object_id, one.user_id])) await recordOnce(ctx, [one])
    else if (isUndone) await removeActivities(ctx, [one])
  })

const isFollowing = statementExists(`select id from followers where following_id = $1 and follower_id = $2 and status = 'active'`)
const isEnrolled = statementExists('select id from enrolments where course_id = $1 and user_id = $2')
const isCreated = statementExists('select s.id from spaces s join users u on u.id = $2 where s.id = $1')
const isMember = statementExists(`select id from space_members where space_id = $1 and user_id = $2 and status = 'active'`)
const isCompleted = statementExists('select lesson_id from lesson_completions where lesson_id = $1 and user_id = $2')

type Follow = EventPayload<'follow.ended'>
const followOf = ({ follower_id, following_id }: Follow) => activityOf(follower_id, 'follow_user', 'user', following_id)
const enrolmentOf = ({ course_id, user_id }: EventPayload<'course.enrolled'>) => activityOf(user_id, 'course_enrolled', 'course', course_id)

/** Profile updates within this time are merged into one activity with the latest time. */
const UPDATE_MERGE_S = 3600
const RECORD = 'activities.record'
const FORGET = 'activities.forget'

/**
 * Each listener checks whether its object still exists: events of one object may be processed out of order, and an action that
 * has been undone must leave no activity.
 */
export const activityListeners: readonly Listener[] = [
  projector('feed.published', RECORD, loadFeedFacts, async (ctx, feeds) => {
    await recordOnce(
      ctx,
      feeds.map(({ id: feed_id, user_id, space_id }) => activityOf(user_id, 'post_created', 'feed', feed_id, { space_id, feed_id })),
    )
    await moveActivitiesOf(ctx, feeds)
  }),
  projector('feed.updated', 'activities.place', loadFeedFacts, moveActivitiesOf),
  projector('comment.published', RECORD, loadCommentFacts, (ctx, comments) =>
    recordOnce(
      ctx,
      comments.map(({ id: comment_id, user_id, space_id, feed_id }) =>
        activityOf(user_id, 'comment_added', 'comment', comment_id, { space_id, feed_id, comment_id }),
      ),
    ),
  ),
  projector('reaction.added', RECORD, loadReactionFacts, reconcileReactions),
  projector('reaction.removed', FORGET, loadReactionFacts, reconcileReactions),
  projector('bookmark.added', RECORD, loadBookmarkFacts, reconcileBookmarks),
  projector('bookmark.removed', FORGET, loadBookmarkFacts, reconcileBookmarks),
  recordOne(
    'space.created',
    RECORD,
    'spaces',
    ({ space_id, user_id }) => activityOf(user_id, 'space_created', 'space', space_id, { space_id }),
    isCreated,
  ),
  recordOne(
    'space.member_joined',
    RECORD,
    'spaces',
    ({ space_id, user_id }) => activityOf(user_id, 'space_joined', 'space', space_id, { space_id }),
    isMember,
  ),
  recordOne('follow.started', RECORD, 'users', followOf, isFollowing, { isUndone: true }),
  recordOne('follow.ended', FORGET, 'users', followOf, isFollowing, { isUndone: true }),
  recordOne('course.enrolled', RECORD, 'courses', enrolmentOf, isEnrolled, { isUndone: true }),
  recordOne('course.unenrolled', FORGET, 'courses', enrolmentOf, isEnrolled, { isUndone: true }),
  recordOne(
    'lesson.completed',
    RECORD,
    'lessons',
    ({ lesson_id, user_id }) => activityOf(user_id, 'lesson_completed', 'lesson', lesson_id),
    isCompleted,
  ),
  on('user.profile_updated', RECORD, async (ctx, { user_id }) => {
    await lockRow(ctx.db, 'users', user_id)
    if (!(await userExists(ctx.db, [user_id]))) return
    if (await refreshUpdate(ctx.db, [user_id, shift(ctx.now, -UPDATE_MERGE_S), ctx.now])) return
    await insert(ctx.db, [valuesOf(activityOf(user_id, 'profile_updated', 'user', user_id))], [ctx.now])
  }),
]
