import type { api, BodyOf } from '@lyceum/contract'
import type { WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { excluded, statement, statementExists, statementOne } from '../../db/index.ts'
import type { Tables } from '../../db/schema.ts'
import { hasFeature, readSetting } from '../settings/index.ts'
import type { Draft } from './draft.ts'

/** Schedule data, stored only while the feed is scheduled. */
export const scheduleOf = statementOne<Omit<Tables['scheduled_posts'], 'feed_id'>>(
  'select timezone, auto_publish, notification_sent from scheduled_posts where feed_id = $1',
)
const save = statement(
  `insert into scheduled_posts (feed_id, timezone, auto_publish, notification_sent) values ($1, $2, $3, $4)
   on conflict (feed_id) do update set ${excluded(['timezone', 'auto_publish', 'notification_sent'])}`,
)
export const dropSchedule = statement('delete from scheduled_posts where feed_id = $1')
/** Marks the author as reminded that the feed is due. Returns false if that was done before for this schedule. */
export const markReminded = statementExists(
  'update scheduled_posts set notification_sent = 1 where feed_id = $1 and notification_sent = 0 returning feed_id',
)

type SchedulableFeed = Pick<Draft, 'status' | 'scheduled_at'>

/**
 * Updates the stored schedule after a change of the feed. `before` is null for a new feed.
 * @throws pro_feature_required for a new schedule while the feature is switched off
 */
export const updateSchedule = async (
  { db, now, enqueue }: WriteContext,
  feedId: number,
  before: SchedulableFeed | null,
  after: SchedulableFeed,
  body: Pick<BodyOf<typeof api.feeds.update>, 'timezone' | 'auto_publish'>,
): Promise<void> => {
  if (after.status !== 'scheduled') {
    if (before?.status === 'scheduled') await dropSchedule(db, [feedId])
    return
  }
  const rescheduled = before?.status !== 'scheduled' || before.scheduled_at !== after.scheduled_at
  if (!rescheduled && !body.timezone && body.auto_publish === undefined) return
  if (rescheduled && !(await hasFeature(db, 'scheduled_posts'))) throw new ApiError('pro_feature_required')
  const stored = await scheduleOf(db, [feedId])
  const timezone = body.timezone || stored?.timezone || (await readSetting(db, 'timezone'))
  const auto = body.auto_publish === undefined ? (stored?.auto_publish ?? 1) : body.auto_publish ? 1 : 0
  await save(db, [feedId, timezone, auto, rescheduled ? 0 : (stored?.notification_sent ?? 0)])
  // The time passed while automatic publishing was off: publish now.
  const overdue = !rescheduled && auto === 1 && stored?.auto_publish === 0 && after.scheduled_at !== null && after.scheduled_at <= now
  if (overdue) await enqueue('feeds.publish', { feed_id: feedId, at: after.scheduled_at })
}
