import { type Db, lockRow, statement } from '../../db/index.ts'
import { actorFor } from '../../platform/auth/identify.ts'
import type { WriteContext } from '../../platform/context.ts'
import { job } from '../../platform/jobs/index.ts'
import { spaceAbilities, spaceOf } from '../spaces/index.ts'
import { isListed, relist } from './listing.ts'
import { type FeedFor, loadFeed } from './rows.ts'

interface Due {
  readonly feed_id: number
  /** The moment it was made for; a later change of plan makes the job meaningless. */
  readonly at: string
}

const setStatus = statement(
  'update feeds set status = $2, published_at = $3, active_at = $3, scheduled_at = $4, updated_at = $3 where id = $1',
)

const load = async (db: Db, id: number): Promise<FeedFor | undefined> => {
  await lockRow(db, 'feeds', id)
  return loadFeed(db, id, 0)
}

/** The plan of a feed as jobs: when it is to be published, when it leaves the lists. */
export const plan = async (
  ctx: WriteContext,
  feedId: number,
  { scheduled_at, expired_at }: { scheduled_at: string | null; expired_at: string | null },
) => {
  if (scheduled_at) await ctx.enqueue('feeds.publish', { feed_id: feedId, at: scheduled_at }, { runAt: scheduled_at })
  if (expired_at && expired_at > ctx.now) await ctx.enqueue('feeds.expire', { feed_id: feedId, at: expired_at }, { runAt: expired_at })
}

/** Publishes a scheduled feed when its time has come; who may no longer post there gets it back as a draft. */
export const publishScheduled = job<Due>('feeds.publish', async (ctx, { feed_id, at }) => {
  const feed = await load(ctx.db, feed_id)
  if (feed?.status !== 'scheduled' || feed.scheduled_at !== at) return
  const author = await actorFor(ctx.db, feed.user_id)
  const space = author && (await spaceOf({ db: ctx.db, actor: author }, feed.space_id))
  const allowed = author && (feed.space_id === null || (space && spaceAbilities(author, space).post))
  if (!allowed) {
    await setStatus(ctx.db, [feed_id, 'draft', feed.published_at, null])
    return
  }
  await setStatus(ctx.db, [feed_id, 'published', ctx.now, at])
  await relist(ctx.db, feed_id, feed, { ...feed, listed: isListed({ ...feed, status: 'published' }, ctx.now) })
  await ctx.emit('feed.published', { feed_id })
})

/** Takes an expired feed out of the lists; by its link it stays readable. */
export const expireListed = job<Due>('feeds.expire', async (ctx, { feed_id, at }) => {
  const feed = await load(ctx.db, feed_id)
  if (!feed || feed.expired_at !== at) return
  await relist(ctx.db, feed_id, feed, { ...feed, listed: isListed(feed, ctx.now) })
})
