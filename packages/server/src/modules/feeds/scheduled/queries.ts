import type { Actor } from '../../../core/context.ts'
import { type Db, type Placeholder, parameters, runText, statementOne } from '../../../db/index.ts'
import { feedsInReach } from '../access.ts'
import { type FeedFor, feedColumns, feedTables } from '../feed-row.ts'

export interface PlannedFeed extends FeedFor {
  readonly timezone: string
  readonly auto_publish: 0 | 1
  readonly notification_sent: 0 | 1
}

/** Whose, where, and due from a moment on and before another. */
export interface PlanList {
  readonly userId?: number | undefined
  readonly spaceId?: number | undefined
  readonly from?: string | undefined
  readonly before?: string | undefined
}

const whereOf = (actor: Actor, { userId, spaceId, from, before }: PlanList, p: Placeholder): string => {
  const parts = [
    `f.status = 'scheduled'`,
    ...(userId === undefined ? [] : [`f.user_id = ${p(userId)}`]),
    ...(spaceId === undefined ? [] : [`f.space_id${userId === undefined ? '' : ' + 0'} = ${p(spaceId)}`]),
    ...(from === undefined ? [] : [`f.scheduled_at >= ${p(from)}`]),
    ...(before === undefined ? [] : [`f.scheduled_at < ${p(before)}`]),
    feedsInReach(actor, p),
  ]
  return parts.join(' and ')
}

/** One page of scheduled feeds, the soonest first. */
export const listPlans = (db: Db, actor: Actor, list: PlanList, { limit, offset }: { limit: number; offset: number }) => {
  const { values, p } = parameters()
  const me = p(actor.id)
  const text = `select ${feedColumns(me)}, coalesce(sp.timezone, 'UTC') as timezone, coalesce(sp.auto_publish, 1) as auto_publish,
    coalesce(sp.notification_sent, 0) as notification_sent from ${feedTables(me)} left join scheduled_posts sp on sp.feed_id = f.id
    where ${whereOf(actor, list, p)} order by f.scheduled_at, f.id limit ${p(limit)} offset ${p(offset)}`
  return runText<PlannedFeed>(db, text, values)
}

export const countPlans = async (db: Db, actor: Actor, list: PlanList): Promise<number> => {
  const { values, p } = parameters()
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from feeds f where ${whereOf(actor, list, p)}`, values)
  return row?.n ?? 0
}

interface Due {
  readonly title: string
  readonly scheduled_at: string
  readonly email: string
  readonly username: string
  readonly display_name: string
}

const due = statementOne<Due>(
  `select f.title, f.scheduled_at, u.email, u.username, u.display_name from feeds f join users u on u.id = f.user_id
   where f.id = $1 and f.status = 'scheduled' and f.scheduled_at <= $2 and u.status = 'active'`,
)

/** A feed whose time has come, with its author; undefined where that no longer holds. */
export const loadDue = (db: Db, feedId: number, now: string) => due(db, [feedId, now])
