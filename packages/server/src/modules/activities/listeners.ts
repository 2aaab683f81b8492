import { type Db, statement, statementOne } from '../../db/index.ts'
import type { WriteContext } from '../../platform/context.ts'
import { type Listener, on } from '../../platform/jobs/index.ts'

interface NewActivity {
  readonly user_id: number
  readonly action_type: string
  readonly object_type: 'feed' | 'comment' | 'space' | 'user'
  readonly object_id: number
  readonly space_id?: number | null
  readonly feed_id?: number | null
  readonly comment_id?: number | null
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
const reactionOf = statementOne<{ id: number }>('select id from reactions where id = $1')
const bookmarkOf = statementOne<{ id: number }>('select id from bookmarks where id = $1')
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

const spaceIdOf = async (db: Db, feedId: number) => (await feedOf(db, [feedId]))?.space_id ?? null

/**
 * Each job looks whether its object still stands: events of one object may be worked off in another order than they happened in,
 * and what was taken back meanwhile must leave no trace.
 */
export const activityListeners: readonly Listener[] = [
  on('feed.published', 'activities.record', async (ctx, { feed_id }) => {
    const feed = await feedOf(ctx.db, [feed_id])
    if (feed) await recordOnce(ctx, { ...feed, action_type: 'post_created', object_type: 'feed', object_id: feed_id, feed_id })
  }),
  on('comment.published', 'activities.record', async (ctx, { comment_id, feed_id }) => {
    const comment = await commentOf(ctx.db, [comment_id])
    if (comment)
      await recordOnce(ctx, {
        ...comment,
        action_type: 'comment_added',
        object_type: 'comment',
        object_id: comment_id,
        feed_id,
        comment_id,
      })
  }),
  on('reaction.added', 'activities.record', async (ctx, { reaction_id, user_id, feed_id, comment_id }) => {
    if (!(await reactionOf(ctx.db, [reaction_id]))) return
    const object = comment_id
      ? ({ object_type: 'comment', object_id: comment_id } as const)
      : ({ object_type: 'feed', object_id: feed_id } as const)
    const space_id = await spaceIdOf(ctx.db, feed_id)
    await recordOnce(ctx, { user_id, action_type: 'reaction_added', ...object, feed_id, comment_id: comment_id ?? null, space_id })
  }),
  on('reaction.removed', 'activities.forget', async ({ db }, { user_id, feed_id, comment_id }) => {
    await forget(db, comment_id ? ['comment', comment_id, 'reaction_added', user_id] : ['feed', feed_id, 'reaction_added', user_id])
  }),
  on('bookmark.added', 'activities.record', async (ctx, { bookmark_id, user_id, feed_id }) => {
    if (!(await bookmarkOf(ctx.db, [bookmark_id]))) return
    const space_id = await spaceIdOf(ctx.db, feed_id)
    await recordOnce(ctx, { user_id, action_type: 'bookmark_added', object_type: 'feed', object_id: feed_id, feed_id, space_id })
  }),
  on('bookmark.removed', 'activities.forget', async ({ db }, { user_id, feed_id }) => {
    await forget(db, ['feed', feed_id, 'bookmark_added', user_id])
  }),
  on('space.created', 'activities.record', async (ctx, { space_id, user_id }) => {
    if (!(await spaceOf(ctx.db, [space_id]))) return
    await recordOnce(ctx, { user_id, action_type: 'space_created', object_type: 'space', object_id: space_id, space_id })
  }),
  on('space.member_joined', 'activities.record', async (ctx, { space_id, user_id }) => {
    if (!(await memberOf(ctx.db, [space_id, user_id]))) return
    await recordOnce(ctx, { user_id, action_type: 'space_joined', object_type: 'space', object_id: space_id, space_id })
  }),
  on('user.profile_updated', 'activities.record', async (ctx, { user_id }) => {
    if (!(await userOf(ctx.db, [user_id]))) return
    await record(ctx, { user_id, action_type: 'profile_updated', object_type: 'user', object_id: user_id })
  }),
]
