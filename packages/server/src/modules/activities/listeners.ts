import { lockRow, statement, statementOne } from '../../db/index.ts'
import type { WriteContext } from '../../platform/context.ts'
import { type Listener, on } from '../../platform/jobs/index.ts'

interface NewActivity {
  readonly user_id: number
  readonly action_type: string
  readonly object_type: 'feed' | 'comment' | 'space' | 'user'
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

/**
 * Each job looks whether its object stands: events of one object may be worked off in another order than they happened in,
 * and what was taken back meanwhile must leave no trace.
 */
export const activityListeners: readonly Listener[] = [
  on('feed.published', 'activities.record', async (ctx, { feed_id }) => {
    const feed = await heldFeed(ctx, feed_id)
    if (feed) await recordOnce(ctx, { ...feed, action_type: 'post_created', object_type: 'feed', object_id: feed_id, feed_id })
  }),
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
  on('user.profile_updated', 'activities.record', async (ctx, { user_id }) => {
    if (!(await userOf(ctx.db, [user_id]))) return
    await record(ctx, { user_id, action_type: 'profile_updated', object_type: 'user', object_id: user_id })
  }),
]
