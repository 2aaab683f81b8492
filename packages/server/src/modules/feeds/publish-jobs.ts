import { actorFor } from '../../auth/authenticate.ts'
import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'
import { scheduledJob } from '../../jobs/index.ts'
import { type ModerationHold, screen, updateModerationHold } from '../automod/index.ts'
import { spaceAbilities, spaceOf } from '../spaces/index.ts'
import { feedAbilities, mayHighlight, spaceContext } from './access.ts'
import { isListed, lockFeed, replacePin, updateCounts } from './counters.ts'
import { type FeedFor, loadFeed, parseMeta } from './feed-row.ts'
import { screenedParts } from './fields.ts'
import { dropSchedule, markReminded, scheduleOf } from './schedule-repository.ts'

interface ScheduledJobInput {
  readonly feed_id: number
  /** The time the job was created for. The job does nothing if the schedule has changed since. */
  readonly at: string
}

const publish = statement(
  `update feeds set status = 'published', published_at = $2, active_at = $2, updated_at = $2, listed = $3 where id = $1`,
)
const revertSchedule = statement('update feeds set status = $2, scheduled_at = null, updated_at = $3 where id = $1')
const unlist = statement('update feeds set listed = 0 where id = $1')

const lockAndLoad = async ({ db }: WriteContext, id: number): Promise<FeedFor | undefined> => {
  await lockFeed(db, id)
  return loadFeed(db, id, 0)
}

/** Enqueues the jobs that publish the feed and that remove it from lists when it expires. */
export const enqueueSchedule = async (
  ctx: WriteContext,
  feedId: number,
  { scheduled_at, expired_at }: { scheduled_at: string | null; expired_at: string | null },
) => {
  if (scheduled_at) await ctx.enqueue('feeds.publish', { feed_id: feedId, at: scheduled_at }, { runAt: scheduled_at })
  if (expired_at && expired_at > ctx.now) await ctx.enqueue('feeds.expire', { feed_id: feedId, at: expired_at }, { runAt: expired_at })
}

/**
 * Decides about a scheduled feed by the author's current permissions. An author who may no longer post gets the feed back as a draft. A
 * moderator decides where posts need approval, and about a pin that the author may no longer set.
 */
const outcomeOf = async (ctx: WriteContext, feed: FeedFor): Promise<ModerationHold | 'published' | 'draft'> => {
  const { db } = ctx
  const author = await actorFor(db, feed.user_id)
  if (!author) return 'draft'
  const space = await spaceOf({ db, actor: author }, feed.space_id)
  const inSpace = space && spaceAbilities(author, space)
  if (inSpace && !inSpace.post) return 'draft'
  const can = feedAbilities(author, { ...feed, ...spaceContext(space) })
  if (!mayHighlight(can, feed)) return { status: 'pending', reason: 'rights', details: {} }
  const { id, message_rendered: html } = feed
  const parts = screenedParts({ ...feed, meta: parseMeta(feed.meta) })
  const found = await screen(ctx, { kind: 'feed', id, author, moderates: can.approve, appears: true, html, ...parts })
  return found ?? (inSpace?.postDirectly === false ? { status: 'pending', reason: 'rule', details: {} } : 'published')
}

/** Publishes a scheduled feed when it is due, or holds it for moderation. */
export const publishScheduled = scheduledJob<ScheduledJobInput>('feeds.publish', async (ctx, { feed_id, at }) => {
  const { db, now } = ctx
  const feed = await lockAndLoad(ctx, feed_id)
  if (feed?.status !== 'scheduled' || feed.scheduled_at !== at) return
  if ((await scheduleOf(db, [feed_id]))?.auto_publish === 0) {
    if (await markReminded(db, [feed_id])) await ctx.emit('feed.due', { feed_id })
    return
  }
  await dropSchedule(db, [feed_id])
  const outcome = await outcomeOf(ctx, feed)
  if (outcome !== 'published') {
    const hold = outcome === 'draft' ? null : outcome
    const after = hold?.status ?? 'draft'
    await revertSchedule(db, [feed_id, after, now])
    await updateModerationHold(ctx, { feedId: feed_id, authorId: feed.user_id }, { before: feed.status, after, hold })
    return
  }
  const after = { ...feed, listed: isListed({ ...feed, status: outcome }, now) }
  await replacePin(ctx, feed_id, feed, after)
  await publish(db, [feed_id, now, after.listed ? 1 : 0])
  await updateCounts(db, feed_id, feed, after)
  await ctx.emit('feed.published', { feed_id })
})

/** Removes an expired feed from lists. It stays readable by its link. */
export const expireListed = scheduledJob<ScheduledJobInput>('feeds.expire', async (ctx, { feed_id, at }) => {
  const feed = await lockAndLoad(ctx, feed_id)
  if (!feed?.listed || feed.expired_at !== at || isListed(feed, ctx.now)) return
  await unlist(ctx.db, [feed_id])
  await updateCounts(ctx.db, feed_id, feed, null)
})
