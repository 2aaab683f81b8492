import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { batchStatement, lockRow, lockRows, statement, statementOne } from '../../db/index.ts'
import { job, type Listener, on, onMany } from '../../jobs/index.ts'

interface NewActivity {
  readonly user_id: number
  readonly action_type: string
  readonly object_type: 'feed' | 'comment' | 'space' | 'user' | 'course' | 'lesson'
  readonly object_id: number
  readonly space_id?: number | null
  readonly feed_id?: number | null
  readonly comment_id?: number | null | undefined
}

const OBJECT = { object_type: 'text', object_id: 'bigint', action_type: 'text', user_id: 'bigint' } as const
const SAME = 'a.object_type = d.object_type and a.object_id = d.object_id and a.action_type = d.action_type and a.user_id = d.user_id'
const COLUMNS = 'user_id, action_type, object_id, object_type, space_id, feed_id, comment_id'
const inserting = (where: string) =>
  batchStatement(
    { ...OBJECT, space_id: 'bigint', feed_id: 'bigint', comment_id: 'bigint' },
    (rows) => `insert into activities (${COLUMNS}, created_at) select ${COLUMNS.replace(/\w+/g, 'd.$&')}, $2 from ${rows} d where ${where}`,
  )
const insert = inserting('1 = 1')
const insertOnce = inserting(`not exists (select 1 from activities a where ${SAME})`)
const forgetAll = batchStatement(
  OBJECT,
  (rows) => `delete from activities where id in (select a.id from ${rows} d cross join activities a where ${SAME})`,
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
/** Which of these stand, by their place in the list. */
const standing = (condition: string) =>
  batchStatement<{ n: number }>(
    { n: 'bigint', user_id: 'bigint', feed_id: 'bigint', comment_id: 'bigint' },
    (rows) => `select d.n from ${rows} d where ${condition}`,
  )
const STANDING = {
  reaction_added: standing(`case when d.comment_id is null
    then exists (select 1 from reactions r where r.feed_id = d.feed_id and r.user_id = d.user_id and r.comment_id is null)
    else exists (select 1 from reactions r where r.comment_id = d.comment_id and r.user_id = d.user_id) end`),
  bookmark_added: standing('exists (select 1 from bookmarks b where b.feed_id = d.feed_id and b.user_id = d.user_id)'),
} as const
const memberOf = statementOne<{ id: number }>(`select id from space_members where space_id = $1 and user_id = $2 and status = 'active'`)
const spaceOf = statementOne<{ id: number }>('select id from spaces where id = $1')
const userOf = statementOne<{ id: number }>('select id from users where id = $1')
const followOf = statementOne<{ id: number }>(`select id from followers where follower_id = $1 and following_id = $2 and status = 'active'`)
const enrolmentOf = statementOne<{ id: number }>('select id from enrolments where course_id = $1 and user_id = $2')
const completionOf = statementOne<{ lesson_id: number }>('select lesson_id from lesson_completions where lesson_id = $1 and user_id = $2')
const refresh = statementOne<{ id: number }>(
  `update activities set created_at = $3 where id = (select max(id) from activities where object_type = 'user' and object_id = $1
   and action_type = 'profile_updated') and created_at > $2 returning id`,
)
/** Activities of a feed that stand elsewhere than it does; three looks into an index rather than a walk over all of them. */
const misplaced = statement<{ id: number }>(
  `select id from (select id from activities where feed_id = $1 and space_id < $2) as p1
   union all select id from (select id from activities where feed_id = $1 and space_id > $2) as p2
   union all select id from (select id from activities where feed_id = $1 and space_id is null and $2 > 0) as p3 limit $3`,
)
const place = statement('update activities set space_id = $2 where id = $1')

type Object = Pick<NewActivity, 'object_type' | 'object_id' | 'action_type' | 'user_id'>
const objectOf = ({ object_type, object_id, action_type, user_id }: Object) => [object_type, object_id, action_type, user_id]
const rowOf = (activity: NewActivity) => [
  ...objectOf(activity),
  activity.space_id ?? null,
  activity.feed_id ?? null,
  activity.comment_id ?? null,
]

/** Each object once. */
const different = <T extends Object>(activities: readonly T[]): T[] => [
  ...new Map(activities.map((one) => [objectOf(one).join(' '), one])).values(),
]

const record = ({ db, now }: WriteContext, activity: NewActivity) => insert(db, [rowOf(activity)], [now])

/** Records what happens only once for the same person and object, however often it happens. The objects are held. */
const recordOnce = async ({ db, now }: WriteContext, ...activities: readonly NewActivity[]): Promise<void> => {
  if (activities.length > 0) await insertOnce(db, different(activities).map(rowOf), [now])
}
const forget = async ({ db }: WriteContext, ...objects: readonly Object[]): Promise<void> => {
  if (objects.length > 0) await forgetAll(db, different(objects).map(objectOf))
}

interface Toggled {
  readonly user_id: number
  readonly feed_id: number
  readonly comment_id?: number | undefined
}

/** Feeds are held first: whatever changes under one, this job included, then happens one after the other. */
const heldFeeds = async ({ db }: WriteContext, ids: readonly number[]): Promise<Map<number, FeedRow>> => {
  const different = [...new Set(ids)]
  await lockRows(db, 'feeds', different)
  const rows = await feedsOf(
    db,
    different.map((id) => [id]),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
const heldFeed = async (ctx: WriteContext, id: number) => (await heldFeeds(ctx, [id])).get(id)

/** Brings the activities of things that come and go in line with whether they stand now. */
const follow = (action_type: keyof typeof STANDING) => async (ctx: WriteContext, toggled: readonly Toggled[]) => {
  const feeds = await heldFeeds(
    ctx,
    toggled.map(({ feed_id }) => feed_id),
  )
  const activities = toggled.flatMap(({ user_id, feed_id, comment_id }): NewActivity[] => {
    const feed = feeds.get(feed_id)
    const object = comment_id
      ? ({ object_type: 'comment', object_id: comment_id } as const)
      : ({ object_type: 'feed', object_id: feed_id } as const)
    return feed ? [{ user_id, action_type, ...object, space_id: feed.space_id, feed_id, comment_id }] : []
  })
  const rows = activities.map(({ user_id, feed_id, comment_id }, n) => [n, user_id, feed_id ?? null, comment_id ?? null])
  const stands = new Set((await STANDING[action_type](ctx.db, rows)).map(({ n }) => n))
  await recordOnce(ctx, ...activities.filter((_, n) => stands.has(n)))
  await forget(ctx, ...activities.filter((_, n) => !stands.has(n)))
}
const followReactions = follow('reaction_added')
const followBookmarks = follow('bookmark_added')

const recordComments = async (ctx: WriteContext, comments: readonly { comment_id: number; feed_id: number }[]) => {
  await lockRows(ctx.db, 'feeds', [...new Set(comments.map(({ feed_id }) => feed_id))])
  const rows = await commentsOf(
    ctx.db,
    comments.map(({ comment_id }) => [comment_id]),
  )
  const what = { action_type: 'comment_added', object_type: 'comment' } as const
  await recordOnce(ctx, ...rows.map(({ id, ...place }) => ({ ...place, ...what, object_id: id, comment_id: id })))
}

/** Most activities that one job moves. */
const MOVED_AT_ONCE = 200

/** Brings the activities of a feed that was moved to where it is now, some at a time. */
const placeSome = async (ctx: WriteContext, { feed_id }: { readonly feed_id: number }) => {
  const feed = await heldFeed(ctx, feed_id)
  if (!feed) return
  const rows = await misplaced(ctx.db, [feed_id, feed.space_id ?? 0, MOVED_AT_ONCE])
  for (const { id } of rows) await place(ctx.db, [id, feed.space_id])
  if (rows.length === MOVED_AT_ONCE) await ctx.enqueue('activities.place', { feed_id })
}
export const placeActivities = job<{ feed_id: number }>('activities.place', placeSome)

/** Brings the activity of following somebody in line with whether it stands now. */
const followPerson = async (ctx: WriteContext, { follower_id, following_id }: { follower_id: number; following_id: number }) => {
  for (const id of [follower_id, following_id].sort((a, b) => a - b)) await lockRow(ctx.db, 'users', id)
  const activity = { user_id: follower_id, action_type: 'follow_user', object_type: 'user', object_id: following_id } as const
  if (await followOf(ctx.db, [follower_id, following_id])) await recordOnce(ctx, activity)
  else await forget(ctx, activity)
}

interface Learned {
  readonly course_id: number
  readonly user_id: number
}

/** Brings the activity of enrolling in a course in line with whether it stands now. */
const followEnrolment = async (ctx: WriteContext, { course_id, user_id }: Learned) => {
  await lockRow(ctx.db, 'courses', course_id)
  const activity = { user_id, action_type: 'course_enrolled', object_type: 'course', object_id: course_id } as const
  if (await enrolmentOf(ctx.db, [course_id, user_id])) await recordOnce(ctx, activity)
  else await forget(ctx, activity)
}

/** A profile that is touched up again within this time is told of as one update: the last. */
const ONE_UPDATE_S = 3600

/**
 * Each job looks whether its object stands: events of one object may be worked off in another order than they happened in,
 * and what was taken back meanwhile must leave no trace.
 */
export const activityListeners: readonly Listener[] = [
  on('feed.published', 'activities.record', async (ctx, { feed_id }) => {
    const feed = await heldFeed(ctx, feed_id)
    if (!feed) return
    const { user_id, space_id } = feed
    await recordOnce(ctx, { user_id, space_id, action_type: 'post_created', object_type: 'feed', object_id: feed_id, feed_id })
    await placeSome(ctx, { feed_id })
  }),
  on('feed.updated', 'activities.place', placeSome),
  onMany('comment.published', 'activities.record', recordComments),
  onMany('reaction.added', 'activities.record', followReactions),
  onMany('reaction.removed', 'activities.forget', followReactions),
  onMany('bookmark.added', 'activities.record', followBookmarks),
  onMany('bookmark.removed', 'activities.forget', followBookmarks),
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
  on('follow.started', 'activities.record', followPerson),
  on('follow.ended', 'activities.forget', followPerson),
  on('course.enrolled', 'activities.record', followEnrolment),
  on('course.unenrolled', 'activities.forget', followEnrolment),
  on('lesson.completed', 'activities.record', async (ctx, { lesson_id, user_id }) => {
    await lockRow(ctx.db, 'lessons', lesson_id)
    if (!(await completionOf(ctx.db, [lesson_id, user_id]))) return
    await recordOnce(ctx, { user_id, action_type: 'lesson_completed', object_type: 'lesson', object_id: lesson_id })
  }),
  on('user.profile_updated', 'activities.record', async (ctx, { user_id }) => {
    await lockRow(ctx.db, 'users', user_id)
    if (!(await userOf(ctx.db, [user_id]))) return
    if (await refresh(ctx.db, [user_id, shift(ctx.now, -ONE_UPDATE_S), ctx.now])) return
    await record(ctx, { user_id, action_type: 'profile_updated', object_type: 'user', object_id: user_id })
  }),
]
