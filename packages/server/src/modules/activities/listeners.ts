import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { batchStatement, lockRow, lockRows, statement, statementOne } from '../../db/index.ts'
import { job, type Listener, on, onBatch } from '../../jobs/index.ts'

interface NewActivity {
  readonly user_id: number
  readonly action_type: string
  readonly object_type: 'feed' | 'comment' | 'space' | 'user' | 'course' | 'lesson'
  readonly object_id: number
  readonly space_id?: number | null
  readonly feed_id?: number | null
  readonly comment_id?: number | null | undefined
}

const KEY_TYPES = { object_type: 'text', object_id: 'bigint', action_type: 'text', user_id: 'bigint' } as const
const SAME_KEY = 'a.object_type = d.object_type and a.object_id = d.object_id and a.action_type = d.action_type and a.user_id = d.user_id'
const COLUMNS = 'user_id, action_type, object_id, object_type, space_id, feed_id, comment_id'
const insertStatement = (where: string) =>
  batchStatement(
    { ...KEY_TYPES, space_id: 'bigint', feed_id: 'bigint', comment_id: 'bigint' },
    (rows) => `insert into activities (${COLUMNS}, created_at) select ${COLUMNS.replace(/\w+/g, 'd.$&')}, $2 from ${rows} d where ${where}`,
  )
const insert = insertStatement('1 = 1')
const insertOnce = insertStatement(`not exists (select 1 from activities a where ${SAME_KEY})`)
const deleteAll = batchStatement(
  KEY_TYPES,
  (rows) => `delete from activities where id in (select a.id from ${rows} d cross join activities a where ${SAME_KEY})`,
)

interface FeedRow {
  readonly id: number
  readonly user_id: number
  readonly space_id: number | null
}
const feedsOf = batchStatement<FeedRow>(
  { id: 'bigint' },
  (rows) => `select f.id, f.user_id, f.space_id from ${rows} d join feeds f on f.id = d.id`,
)
const commentsOf = batchStatement<FeedRow & { readonly feed_id: number }>(
  { id: 'bigint' },
  (rows) => `select c.id, c.user_id, c.post_id as feed_id, f.space_id from ${rows} d join comments c on c.id = d.id
    join feeds f on f.id = c.post_id`,
)
/** Returns the indexes of the list entries whose object exists. */
const existingRows = (condition: string) =>
  batchStatement<{ n: number }>(
    { n: 'bigint', user_id: 'bigint', feed_id: 'bigint', comment_id: 'bigint' },
    (rows) => `select d.n from ${rows} d where ${condition}`,
  )
const EXISTING = {
  reaction_added: existingRows(`case when d.comment_id is null
    then exists (select 1 from reactions r where r.feed_id = d.feed_id and r.user_id = d.user_id and r.comment_id is null)
    else exists (select 1 from reactions r where r.comment_id = d.comment_id and r.user_id = d.user_id) end`),
  bookmark_added: existingRows('exists (select 1 from bookmarks b where b.feed_id = d.feed_id and b.user_id = d.user_id)'),
} as const
const memberOf = statementOne<{ id: number }>(`select id from space_members where space_id = $1 and user_id = $2 and status = 'active'`)
const spaceOf = statementOne<{ id: number }>('select id from spaces where id = $1')
const userOf = statementOne<{ id: number }>('select id from users where id = $1')
const followOf = statementOne<{ id: number }>(`select id from followers where follower_id = $1 and following_id = $2 and status = 'active'`)
const enrolmentOf = statementOne<{ id: number }>('select id from enrolments where course_id = $1 and user_id = $2')
const completionOf = statementOne<{ lesson_id: number }>('select lesson_id from lesson_completions where lesson_id = $1 and user_id = $2')
const refreshUpdate = statementOne<{ id: number }>(
  `update activities set created_at = $3 where id = (select max(id) from activities where object_type = 'user' and object_id = $1
   and action_type = 'profile_updated') and created_at > $2 returning id`,
)
/** Activities whose space differs from that of their feed. Three index lookups instead of a scan of the feed's activities. */
const misplaced = statement<{ id: number }>(
  `select id from (select id from activities where feed_id = $1 and space_id < $2) as p1
   union all select id from (select id from activities where feed_id = $1 and space_id > $2) as p2
   union all select id from (select id from activities where feed_id = $1 and space_id is null and $2 > 0) as p3 limit $3`,
)
const setSpace = statement('update activities set space_id = $2 where id = $1')

type ActivityKey = Pick<NewActivity, 'object_type' | 'object_id' | 'action_type' | 'user_id'>
const keyOf = ({ object_type, object_id, action_type, user_id }: ActivityKey) => [object_type, object_id, action_type, user_id]
const rowOf = (activity: NewActivity) => [
  ...keyOf(activity),
  activity.space_id ?? null,
  activity.feed_id ?? null,
  activity.comment_id ?? null,
]

/** Removes duplicates by key. */
const distinct = <T extends ActivityKey>(activities: readonly T[]): T[] => [
  ...new Map(activities.map((one) => [keyOf(one).join(' '), one])).values(),
]

const record = ({ db, now }: WriteContext, activity: NewActivity) => insert(db, [rowOf(activity)], [now])

/** Records activities that exist at most once per person and object. The objects are locked. */
const recordOnce = async ({ db, now }: WriteContext, ...activities: readonly NewActivity[]): Promise<void> => {
  if (activities.length > 0) await insertOnce(db, distinct(activities).map(rowOf), [now])
}
const removeActivities = async ({ db }: WriteContext, ...objects: readonly ActivityKey[]): Promise<void> => {
  if (objects.length > 0) await deleteAll(db, distinct(objects).map(keyOf))
}

interface ToggleEvent {
  readonly user_id: number
  readonly feed_id: number
  readonly comment_id?: number | undefined
}

/** Locks the feeds first, so that concurrent changes below a feed, including this job, are serialized. */
const lockFeeds = async ({ db }: WriteContext, ids: readonly number[]): Promise<Map<number, FeedRow>> => {
  const distinct = [...new Set(ids)]
  await lockRows(db, 'feeds', distinct)
  const rows = await feedsOf(db, distinct)
  return new Map(rows.map((row) => [row.id, row]))
}
const lockFeed = async (ctx: WriteContext, id: number) => (await lockFeeds(ctx, [id])).get(id)

/** Adds or removes activities so that they match the existing reactions or bookmarks. */
const reconcileToggles = (action_type: keyof typeof EXISTING) => async (ctx: WriteContext, events: readonly ToggleEvent[]) => {
  const feeds = await lockFeeds(
    ctx,
    events.map(({ feed_id }) => feed_id),
  )
  const activities = events.flatMap(({ user_id, feed_id, comment_id }): NewActivity[] => {
    const feed = feeds.get(feed_id)
    const object = comment_id
      ? ({ object_type: 'comment', object_id: comment_id } as const)
      : ({ object_type: 'feed', object_id: feed_id } as const)
    return feed ? [{ user_id, action_type, ...object, space_id: feed.space_id, feed_id, comment_id }] : []
  })
  const rows = activities.map(({ user_id, feed_id, comment_id }, n) => [n, user_id, feed_id ?? null, comment_id ?? null])
  const existing = new Set((await EXISTING[action_type](ctx.db, rows)).map(({ n }) => n))
  await recordOnce(ctx, ...activities.filter((_, n) => existing.has(n)))
  await removeActivities(ctx, ...activities.filter((_, n) => !existing.has(n)))
}
const reconcileReactions = reconcileToggles('reaction_added')
const reconcileBookmarks = reconcileToggles('bookmark_added')

const recordComments = async (ctx: WriteContext, comments: readonly { comment_id: number; feed_id: number }[]) => {
  await lockRows(ctx.db, 'feeds', [...new Set(comments.map(({ feed_id }) => feed_id))])
  const rows = await commentsOf(
    ctx.db,
    comments.map(({ comment_id }) => comment_id),
  )
  const what = { action_type: 'comment_added', object_type: 'comment' } as const
  await recordOnce(ctx, ...rows.map(({ id, ...setSpace }) => ({ ...setSpace, ...what, object_id: id, comment_id: id })))
}

/** Activities moved per job. */
const MOVE_BATCH_SIZE = 200

/** Moves activities of a feed to its current space, in batches. */
const moveSome = async (ctx: WriteContext, { feed_id }: { readonly feed_id: number }) => {
  const feed = await lockFeed(ctx, feed_id)
  if (!feed) return
  const rows = await misplaced(ctx.db, [feed_id, feed.space_id ?? 0, MOVE_BATCH_SIZE])
  for (const { id } of rows) await setSpace(ctx.db, [id, feed.space_id])
  if (rows.length === MOVE_BATCH_SIZE) await ctx.enqueue('activities.place', { feed_id })
}
export const moveActivities = job<{ feed_id: number }>('activities.place', moveSome)

/** Adds or removes the activity of a follow to match its current state. */
const reconcileFollow = async (ctx: WriteContext, { follower_id, following_id }: { follower_id: number; following_id: number }) => {
  for (const id of [follower_id, following_id].sort((a, b) => a - b)) await lockRow(ctx.db, 'users', id)
  const activity = { user_id: follower_id, action_type: 'follow_user', object_type: 'user', object_id: following_id } as const
  if (await followOf(ctx.db, [follower_id, following_id])) await recordOnce(ctx, activity)
  else await removeActivities(ctx, activity)
}

interface EnrolmentEvent {
  readonly course_id: number
  readonly user_id: number
}

/** Adds or removes the activity of an enrolment to match its current state. */
const reconcileEnrolment = async (ctx: WriteContext, { course_id, user_id }: EnrolmentEvent) => {
  await lockRow(ctx.db, 'courses', course_id)
  const activity = { user_id, action_type: 'course_enrolled', object_type: 'course', object_id: course_id } as const
  if (await enrolmentOf(ctx.db, [course_id, user_id])) await recordOnce(ctx, activity)
  else await removeActivities(ctx, activity)
}

/** Profile updates within this time are merged into one activity with the latest time. */
const UPDATE_MERGE_S = 3600

/**
 * Each job checks whether its object still exists: events of one object may be processed out of order, and what was undone meanwhile must
 * leave no activity.
 */
export const activityListeners: readonly Listener[] = [
  on('feed.published', 'activities.record', async (ctx, { feed_id }) => {
    const feed = await lockFeed(ctx, feed_id)
    if (!feed) return
    const { user_id, space_id } = feed
    await recordOnce(ctx, { user_id, space_id, action_type: 'post_created', object_type: 'feed', object_id: feed_id, feed_id })
    await moveSome(ctx, { feed_id })
  }),
  on('feed.updated', 'activities.place', moveSome),
  onBatch('comment.published', 'activities.record', recordComments),
  onBatch('reaction.added', 'activities.record', reconcileReactions),
  onBatch('reaction.removed', 'activities.forget', reconcileReactions),
  onBatch('bookmark.added', 'activities.record', reconcileBookmarks),
  onBatch('bookmark.removed', 'activities.forget', reconcileBookmarks),
  on('space.created', 'activities.record', async (ctx, { space_id, user_id }) => {
    await lockRow(ctx.db, 'spaces', space_id)
    if (!(await spaceOf(ctx.db, [space_id]))) return
    await recordOnce(ctx, { user_id, action_type: 'space_created', object_type: 'space', object_id: space_id, space_id })
  }),
  on('space.member_joined', 'activities.record', async (ctx, { space_id, user_id }) => {
    await lockRow(ctx.db, 'spaces', space_id)
    if (!(await memberOf(ctx.db, [space_id, user_id]))) return
    await recordOnce(ctx, { user_id, action_type: 'space_joined', object_type: 'space', object_id: space_id, space_id })
  }),
  on('follow.started', 'activities.record', reconcileFollow),
  on('follow.ended', 'activities.forget', reconcileFollow),
  on('course.enrolled', 'activities.record', reconcileEnrolment),
  on('course.unenrolled', 'activities.forget', reconcileEnrolment),
  on('lesson.completed', 'activities.record', async (ctx, { lesson_id, user_id }) => {
    await lockRow(ctx.db, 'lessons', lesson_id)
    if (!(await completionOf(ctx.db, [lesson_id, user_id]))) return
    await recordOnce(ctx, { user_id, action_type: 'lesson_completed', object_type: 'lesson', object_id: lesson_id })
  }),
  on('user.profile_updated', 'activities.record', async (ctx, { user_id }) => {
    await lockRow(ctx.db, 'users', user_id)
    if (!(await userOf(ctx.db, [user_id]))) return
    if (await refreshUpdate(ctx.db, [user_id, shift(ctx.now, -UPDATE_MERGE_S), ctx.now])) return
    await record(ctx, { user_id, action_type: 'profile_updated', object_type: 'user', object_id: user_id })
  }),
]
