import { lockRow, statement, statementOne } from '../../db/index.ts'
import { shift } from '../../platform/clock.ts'
import type { WriteContext } from '../../platform/context.ts'
import { job, type Listener, on } from '../../platform/jobs/index.ts'

interface NewActivity {
  readonly user_id: number
  readonly action_type: string
  readonly object_type: 'feed' | 'comment' | 'space' | 'user' | 'course' | 'lesson'
  readonly object_id: number
  readonly space_id?: number | null
  readonly feed_id?: number | null
  readonly comment_id?: number | null | undefined
}

const insert = statement(
  `insert into activities (user_id, action_type, object_id, object_type, space_id, feed_id, comment_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const existing = statementOne<{ id: number }>(
  'select id from activities where object_type = $1 and object_id = $2 and action_type = $3 and user_id = $4 limit 1',
)
const forget = statement('delete from activities where object_type = $1 and object_id = $2 and action_type = $3 and user_id = $4')

const feedOf = statementOne<{ user_id: number; space_id: number | null }>('select user_id, space_id from feeds where id = $1')
const commentOf = statementOne<{ user_id: number; space_id: number | null }>(
  'select c.user_id, f.space_id from comments c join feeds f on f.id = c.post_id where c.id = $1',
)
const feedReaction = statementOne<{ id: number }>('select id from reactions where feed_id = $1 and user_id = $2 and comment_id is null')
const commentReaction = statementOne<{ id: number }>('select id from reactions where comment_id = $1 and user_id = $2')
const bookmarkOf = statementOne<{ id: number }>('select id from bookmarks where feed_id = $1 and user_id = $2')
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

const record = ({ db, now }: WriteContext, { user_id, action_type, object_type, object_id, space_id, feed_id, comment_id }: NewActivity) =>
  insert(db, [user_id, action_type, object_id, object_type, space_id ?? null, feed_id ?? null, comment_id ?? null, now])

/** Records what happens only once for the same person and object, however often it happens. */
const recordOnce = async (ctx: WriteContext, activity: NewActivity) => {
  const { object_type, object_id, action_type, user_id } = activity
  if (!(await existing(ctx.db, [object_type, object_id, action_type, user_id]))) await record(ctx, activity)
}

interface Toggled {
  readonly user_id: number
  readonly feed_id: number
  readonly comment_id?: number | undefined
}

/** The feed is held first: whatever changes under it, this job included, then happens one after the other. */
const heldFeed = async ({ db }: WriteContext, feedId: number) => {
  await lockRow(db, 'feeds', feedId)
  return feedOf(db, [feedId])
}

/** Brings the activity of something that comes and goes in line with whether it stands now. */
const follow = async (ctx: WriteContext, action_type: 'reaction_added' | 'bookmark_added', { user_id, feed_id, comment_id }: Toggled) => {
  const feed = await heldFeed(ctx, feed_id)
  if (!feed) return
  const [object_type, object_id] = comment_id ? (['comment', comment_id] as const) : (['feed', feed_id] as const)
  const find = action_type === 'bookmark_added' ? bookmarkOf : comment_id ? commentReaction : feedReaction
  if (await find(ctx.db, [object_id, user_id]))
    await recordOnce(ctx, { user_id, action_type, object_type, object_id, feed_id, comment_id, space_id: feed.space_id })
  else await forget(ctx.db, [object_type, object_id, action_type, user_id])
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
  else await forget(ctx.db, ['user', following_id, 'follow_user', follower_id])
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
  else await forget(ctx.db, ['course', course_id, 'course_enrolled', user_id])
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
    await recordOnce(ctx, { ...feed, action_type: 'post_created', object_type: 'feed', object_id: feed_id, feed_id })
    await placeSome(ctx, { feed_id })
  }),
  on('feed.updated', 'activities.place', placeSome),
  on('comment.published', 'activities.record', async (ctx, { comment_id, feed_id }) => {
    await lockRow(ctx.db, 'feeds', feed_id)
    const comment = await commentOf(ctx.db, [comment_id])
    const activity = { action_type: 'comment_added', object_type: 'comment', object_id: comment_id, feed_id, comment_id } as const
    if (comment) await recordOnce(ctx, { ...comment, ...activity })
  }),
  on('reaction.added', 'activities.record', (ctx, reaction) => follow(ctx, 'reaction_added', reaction)),
  on('reaction.removed', 'activities.forget', (ctx, reaction) => follow(ctx, 'reaction_added', reaction)),
  on('bookmark.added', 'activities.record', (ctx, bookmark) => follow(ctx, 'bookmark_added', bookmark)),
  on('bookmark.removed', 'activities.forget', (ctx, bookmark) => follow(ctx, 'bookmark_added', bookmark)),
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
