import type { Actor } from '../../../core/context.ts'
import { type Db, type Placeholder, parameters, runText, statementOne } from '../../../db/index.ts'
import { reachableFeeds } from '../access.ts'
import { type FeedFor, feedColumns, feedTables } from '../feed-row.ts'

interface ScheduledFeed extends FeedFor {
  readonly timezone: string
  readonly auto_publish: 0 | 1
  readonly notification_sent: 0 | 1
}

/** Filters by author, space, and period of the scheduled time. */
export interface ScheduleFilter {
  readonly userId?: number | undefined
  readonly spaceId?: number | undefined
  readonly from?: string | undefined
  readonly before?: string | undefined
}

const whereOf = (actor: Actor, { userId, spaceId, from, before }: ScheduleFilter, p: Placeholder): string => {
  const parts = [
    `f.status = 'scheduled'`,
    ...(userId === undefined ? [] : [`f.user_id = ${p(userId)}`]),
    ...(spaceId === undefined ? [] : [`f.space_id${userId === undefined ? '' : ' + 0'} = ${p(spaceId)}`]),
    ...(from === undefined ? [] : [`f.scheduled_at >= ${p(from)}`]),
    ...(before === undefined ? [] : [`f.scheduled_at < ${p(before)}`]),
    reachableFeeds(actor, p),
  ]
  return parts.join(' and ')
}

/** One page of scheduled feeds, soonest first. */
export const listScheduled = (db: Db, actor: Actor, list: ScheduleFilter, { limit, offset }: { limit: number; offset: number }) => {
  const { values, p } = parameters()
  const me = p(actor.id)
  const text = `select ${feedColumns(me)}, coalesce(sp.timezone, 'UTC') as timezone, coalesce(sp.auto_publish, 1) as auto_publish,
    coalesce(sp.notification_sent, 0) as notification_sent from ${feedTables(me)} left join scheduled_posts sp on sp.feed_id = f.id
    where ${whereOf(actor, list, p)} order by f.scheduled_at, f.id limit ${p(limit)} offset ${p(offset)}`
  return runText<ScheduledFeed>(db, text, values)
}

export const countScheduled = async (db: Db, actor: Actor, list: ScheduleFilter): Promise<number> => {
  const { values, p } = parameters()
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from feeds f where ${whereOf(actor, list, p)}`, values)
  return row?.n ?? 0
}

interface DueFeed {
  readonly title: string
  readonly scheduled_at: string
  readonly email: string
  readonly username: string
  readonly display_name: string
}

const due = statementOne<DueFeed>(
  `select f.title, f.scheduled_at, u.email, u.username, u.display_name from feeds f join users u on u.id = f.user_id
   where f.id = $1 and f.status = 'scheduled' and f.scheduled_at <= $2 and u.status = 'active'`,
)

/** A scheduled feed that is due, with its author; undefined if it is no longer due. */
export const loadDue = (db: Db, feedId: number, now: string) => due(db, [feedId, now])
