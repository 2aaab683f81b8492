import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { batchStatement } from '../../db/index.ts'
import { factsLoader, job, type Listener, projector } from '../../jobs/index.ts'
import { type CommentFacts, loadCommentFacts } from '../comments/index.ts'
import { type CompletionFacts, loadCompletionFacts, loadStudentFacts, type StudentFacts } from '../courses/index.ts'
import { type FeedFacts, loadFeedFacts } from '../feeds/index.ts'
import { type FollowFacts, loadFollowFacts } from '../followers/index.ts'
import { loadUserFacts } from '../members/index.ts'
import { loadReactionFacts, type ReactionFacts } from '../reactions/index.ts'
import { loadMembershipFacts, type MembershipFacts } from '../spaces/index.ts'

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
const refreshUpdates = batchStatement<{ object_id: number }>(
  { id: 'bigint' },
  (rows) => `update activities set created_at = $3 where id in (select max(a.id) from ${rows} d cross join activities a
    where a.object_type = 'user' and a.object_id = d.id and a.action_type = 'profile_updated' group by d.id)
    and created_at > $2 returning object_id`,
)

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

const record =
  <Facts>(activity: (facts: Facts) => NewActivity) =>
  (ctx: WriteContext, facts: readonly Facts[]) =>
    recordOnce(ctx, facts.map(activity))

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

/** Locks the feeds, so that concurrent changes below a feed, including this listener, are serialized. */
const loadBookmarkFacts = factsLoader<Pick<BookmarkFacts, 'user_id' | 'feed_id'>, BookmarkFacts>({
  columns: { user_id: 'bigint', feed_id: 'bigint' },
  locks: { feeds: (rows) => `select d.feed_id from ${rows} d` },
  select: (rows) => `select d.user_id, d.feed_id, f.space_id,
    case when exists (select 1 from bookmarks b where b.feed_id = d.feed_id and b.user_id = d.user_id) then 1 else 0 end as is_present
    from ${rows} d join feeds f on f.id = d.feed_id`,
})
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

const recordFeeds = record<FeedFacts>(({ id: feed_id, user_id, space_id }) =>
  activityOf(user_id, 'post_created', 'feed', feed_id, { space_id, feed_id }),
)
const recordComments = record<CommentFacts>(({ id: comment_id, user_id, space_id, feed_id }) =>
  activityOf(user_id, 'comment_added', 'comment', comment_id, { space_id, feed_id, comment_id }),
)
const recordSpaces = record<MembershipFacts>(({ space_id, user_id }) =>
  activityOf(user_id, 'space_created', 'space', space_id, { space_id }),
)
const recordJoins = record<MembershipFacts>(({ space_id, user_id }) => activityOf(user_id, 'space_joined', 'space', space_id, { space_id }))
const recordCompletions = record<CompletionFacts>(({ lesson_id, user_id }) => activityOf(user_id, 'lesson_completed', 'lesson', lesson_id))
const reconcileFollows = reconcile<FollowFacts>(
  ({ follower_id, following_id }) => activityOf(follower_id, 'follow_user', 'user', following_id),
  ({ status }) => status === 'active',
)
const reconcileStudents = reconcile<StudentFacts>(
  ({ course_id, user_id }) => activityOf(user_id, 'course_enrolled', 'course', course_id),
  ({ is_enrolled }) => is_enrolled === 1,
)

/** Profile updates within this time are merged into one activity with the latest time. */
const UPDATE_MERGE_S = 3600
const RECORD = 'activities.record'
const FORGET = 'activities.forget'

/**
 * The facts are what exists now: events of one object may be processed out of order, and an action that has been undone must leave no
 * activity.
 */
export const activityListeners: readonly Listener[] = [
  projector('feed.published', RECORD, loadFeedFacts, async (ctx, feeds) => {
    await recordFeeds(ctx, feeds)
    await moveActivitiesOf(ctx, feeds)
  }),
  projector('feed.updated', 'activities.place', loadFeedFacts, moveActivitiesOf),
  projector('comment.published', RECORD, loadCommentFacts, recordComments),
  projector('reaction.added', RECORD, loadReactionFacts, reconcileReactions),
  projector('reaction.removed', FORGET, loadReactionFacts, reconcileReactions),
  projector('bookmark.added', RECORD, loadBookmarkFacts, reconcileBookmarks),
  projector('bookmark.removed', FORGET, loadBookmarkFacts, reconcileBookmarks),
  projector('space.created', RECORD, loadMembershipFacts, recordSpaces),
  projector('space.member_joined', RECORD, loadMembershipFacts, (ctx, memberships) =>
    recordJoins(
      ctx,
      memberships.filter(({ status }) => status === 'active'),
    ),
  ),
  projector('follow.started', RECORD, loadFollowFacts, reconcileFollows),
  projector('follow.ended', FORGET, loadFollowFacts, reconcileFollows),
  projector('course.enrolled', RECORD, loadStudentFacts, reconcileStudents),
  projector('course.unenrolled', FORGET, loadStudentFacts, reconcileStudents),
  projector('lesson.completed', RECORD, loadCompletionFacts, recordCompletions),
  projector('user.profile_updated', RECORD, loadUserFacts, async ({ db, now }, users) => {
    const ids = users.map(({ id }) => id)
    const refreshed = new Set((await refreshUpdates(db, ids, [shift(now, -UPDATE_MERGE_S), now])).map(({ object_id }) => object_id))
    const updated = ids.filter((id) => !refreshed.has(id)).map((id) => activityOf(id, 'profile_updated', 'user', id))
    await insert(db, rowsOf(updated), [now])
  }),
]
