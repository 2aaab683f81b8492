import type { Actor } from '../../../core/context.ts'
import { countRows, type Db, type PageWindow, type Placeholder, selectRows } from '../../../db/index.ts'
import { reachableFeeds } from '../access.ts'
import { type FeedFor, feedColumns, feedTables } from '../feed-row.ts'

interface ScheduledFeed extends FeedFor {
  readonly timezone: string
  readonly auto_publish: 0 | 1
  readonly notification_sent: 0 | 1
}

export interface ScheduleFilter {
  readonly userId?: number | undefined
  readonly spaceId?: number | undefined
  readonly from?: string | undefined
  readonly before?: string | undefined
}

const condition = (actor: Actor, { userId, spaceId, from, before }: ScheduleFilter, p: Placeholder): string => {
  const parts = [`f.status = 'scheduled'`]
  if (userId !== undefined) parts.push(`f.user_id = ${p(userId)}`)
  if (spaceId !== undefined) parts.push(`f.space_id${userId === undefined ? '' : ' + 0'} = ${p(spaceId)}`)
  if (from !== undefined) parts.push(`f.scheduled_at >= ${p(from)}`)
  if (before !== undefined) parts.push(`f.scheduled_at < ${p(before)}`)
  return [...parts, reachableFeeds(actor, p)].join(' and ')
}

export const listScheduled = (db: Db, actor: Actor, filter: ScheduleFilter, { limit, offset }: PageWindow) =>
  selectRows<ScheduledFeed>(db, (p) => {
    const me = p(actor.id)
    return `select ${feedColumns(me)}, coalesce(sp.timezone, 'UTC') as timezone, coalesce(sp.auto_publish, 1) as auto_publish,
      coalesce(sp.notification_sent, 0) as notification_sent from ${feedTables(me)} left join scheduled_posts sp on sp.feed_id = f.id
      where ${condition(actor, filter, p)} order by f.scheduled_at, f.id limit ${p(limit)} offset ${p(offset)}`
  })

export const countScheduled = (db: Db, actor: Actor, filter: ScheduleFilter): Promise<number> =>
  countRows(db, (p) => `feeds f where ${condition(actor, filter, p)}`)
