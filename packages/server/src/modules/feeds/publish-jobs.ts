import { actorFor } from '../../auth/authenticate.ts'
import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'
import { timedJob } from '../../jobs/index.ts'
import { type Hold, resolveHold, screen } from '../automod/index.ts'
import { spaceAbilities, spaceOf } from '../spaces/index.ts'
import { feedAbilities, mayMark, standingIn } from './access.ts'
import { type FeedFor, loadFeed } from './feed-row.ts'
import { isListed, lockFeed, recount, takePin } from './list-counters.ts'
import { parseMeta } from './meta.ts'
import { dropSchedule, remindOnce, scheduleOf } from './schedule-repository.ts'

interface Due {
  readonly feed_id: number
  /** The moment it was made for; a later change of plan makes the job meaningless. */
  readonly at: string
}

const publish = statement(
  `update feeds set status = 'published', published_at = $2, active_at = $2, updated_at = $2, listed = $3 where id = $1`,
)
const giveBack = statement('update feeds set status = $2, scheduled_at = null, updated_at = $3 where id = $1')
const unlist = statement('update feeds set listed = 0 where id = $1')

const load = async ({ db }: WriteContext, id: number): Promise<FeedFor | undefined> => {
  await lockFeed(db, id)
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

/**
 * What becomes of a scheduled feed by the rights that its author has now: who may no longer post there gets it back as a draft; a moderator
 * decides where posts are approved first, and about a pin that is no longer the author's to give.
 */
const outcomeOf = async (ctx: WriteContext, feed: FeedFor): Promise<Hold | 'published' | 'draft'> => {
  const { db } = ctx
  const author = await actorFor(db, feed.user_id)
  if (!author) return 'draft'
  const space = await spaceOf({ db, actor: author }, feed.space_id)
  const inSpace = space && spaceAbilities(author, space)
  if (inSpace && !inSpace.post) return 'draft'
  const can = feedAbilities(author, { ...feed, ...standingIn(space) })
  if (!mayMark(can, feed)) return { status: 'pending', reason: 'rights', details: {} }
  const { id, title, featured_image: featuredImage, message_rendered: html } = feed
  const meta = parseMeta(feed.meta)
  const found = await screen(ctx, { kind: 'feed', id, author, decides: can.approve, appears: true, title, html, meta, featuredImage })
  return found ?? (inSpace?.postDirectly === false ? { status: 'pending', reason: 'rule', details: {} } : 'published')
}

/** Publishes a scheduled feed when its time has come, or lets a moderator look at it first. */
export const publishScheduled = timedJob<Due>('feeds.publish', async (ctx, { feed_id, at }) => {
  const { db, now } = ctx
  const feed = await load(ctx, feed_id)
  if (feed?.status !== 'scheduled' || feed.scheduled_at !== at) return
  if ((await scheduleOf(db, feed_id))?.auto_publish === 0) {
    if (await remindOnce(db, feed_id)) await ctx.emit('feed.due', { feed_id })
    return
  }
  await dropSchedule(db, feed_id)
  const outcome = await outcomeOf(ctx, feed)
  if (outcome !== 'published') {
    const hold = outcome === 'draft' ? null : outcome
    const after = hold?.status ?? 'draft'
    await giveBack(db, [feed_id, after, now])
    await resolveHold(ctx, { feedId: feed_id, authorId: feed.user_id }, { before: feed.status, after, hold })
    return
  }
  const after = { ...feed, listed: isListed({ ...feed, status: outcome }, now) }
  await takePin(ctx, feed_id, feed, after)
  await publish(db, [feed_id, now, after.listed ? 1 : 0])
  await recount(db, feed_id, feed, after)
  await ctx.emit('feed.published', { feed_id })
})

/** Takes an expired feed out of the lists; by its link it stays readable. */
export const expireListed = timedJob<Due>('feeds.expire', async (ctx, { feed_id, at }) => {
  const feed = await load(ctx, feed_id)
  if (!feed?.listed || feed.expired_at !== at || isListed(feed, ctx.now)) return
  await unlist(ctx.db, [feed_id])
  await recount(ctx.db, feed_id, feed, null)
})
