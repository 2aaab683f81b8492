import type { api, BodyOf } from '@lyceum/contract'
import type { WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { hasFeature, readSetting } from '../settings/index.ts'
import type { Draft } from './draft.ts'

/** What is kept beside a feed for as long as it is scheduled. */
interface Schedule {
  readonly timezone: string
  readonly auto_publish: 0 | 1
  readonly notification_sent: 0 | 1
}

const find = statementOne<Schedule>('select timezone, auto_publish, notification_sent from scheduled_posts where feed_id = $1')
const save = statement(
  `insert into scheduled_posts (feed_id, timezone, auto_publish, notification_sent) values ($1, $2, $3, $4) on conflict (feed_id)
   do update set timezone = excluded.timezone, auto_publish = excluded.auto_publish, notification_sent = excluded.notification_sent`,
)
const drop = statement('delete from scheduled_posts where feed_id = $1')
const remind = statementOne<{ feed_id: number }>(
  'update scheduled_posts set notification_sent = 1 where feed_id = $1 and notification_sent = 0 returning feed_id',
)

export const scheduleOf = (db: Db, feedId: number) => find(db, [feedId])
export const dropSchedule = (db: Db, feedId: number) => drop(db, [feedId])
/** Marks that the author is told that it is due; false where that was done for this plan. */
export const remindOnce = async (db: Db, feedId: number): Promise<boolean> => (await remind(db, [feedId])) !== undefined

type Planned = Pick<Draft, 'status' | 'scheduled_at'>

/**
 * Brings what is kept of a plan in line with a change of the feed; null: it is new.
 * @throws pro_feature_required for a new plan while an administrator has switched plans off
 */
export const keepSchedule = async (
  { db, now, enqueue }: WriteContext,
  feedId: number,
  before: Planned | null,
  after: Planned,
  body: Pick<BodyOf<typeof api.feeds.update>, 'timezone' | 'auto_publish'>,
): Promise<void> => {
  if (after.status !== 'scheduled') {
    if (before?.status === 'scheduled') await drop(db, [feedId])
    return
  }
  const replanned = before?.status !== 'scheduled' || before.scheduled_at !== after.scheduled_at
  if (!replanned && !body.timezone && body.auto_publish === undefined) return
  if (replanned && !(await hasFeature(db, 'scheduled_posts'))) throw new ApiError('pro_feature_required')
  const known = await find(db, [feedId])
  const timezone = body.timezone || known?.timezone || (await readSetting(db, 'timezone'))
  const auto = body.auto_publish === undefined ? (known?.auto_publish ?? 1) : body.auto_publish ? 1 : 0
  await save(db, [feedId, timezone, auto, replanned ? 0 : (known?.notification_sent ?? 0)])
  // Its time passed while it was to be published by hand.
  const overdue = !replanned && auto === 1 && known?.auto_publish === 0 && after.scheduled_at !== null && after.scheduled_at <= now
  if (overdue) await enqueue('feeds.publish', { feed_id: feedId, at: after.scheduled_at })
}
