import { actorFor } from '../../auth/authenticate.ts'
import type { Actor, WriteContext } from '../../core/context.ts'
import { lockRow, statement, statementOne } from '../../db/index.ts'
import { job } from '../../jobs/index.ts'
import { type FeedAccessRow, feedAbilities, loadFeedAccess } from '../feeds/index.ts'
import { mentionsIn } from '../members/index.ts'
import { createNotifications } from './repository.ts'

/** Members per job. Each job is a transaction that enqueues the next, so that no other write waits for the whole fan-out. */
const BATCH = 100

interface FanOutInput {
  readonly feed_id: number
  /** Members up to this id have been notified. */
  readonly after: number
}

interface Text {
  readonly user_id: number
  readonly message: string
  readonly content_type: string
}

const EVERYONE = /@everyone/i
const EVERYONE_META = { everyone: true } as const

const existing = statementOne<{ id: number }>('select id from notifications where feed_id = $1 and dedup_key = $2 and meta = $3 limit 1')

/** The next members by id: active members of the space who can see its content, or all active users. */
const nextMembers = statement<{ id: number; told: 0 | 1 }>(
  `select m.user_id as id, case when m.status = 'active' and (s.status <> 'draft' or m.role <> 'member') and u.status = 'active' then 1 else 0 end as told
   from space_members m join spaces s on s.id = m.space_id join users u on u.id = m.user_id
   where m.space_id = $1 and m.user_id > $2 order by m.user_id limit ${BATCH}`,
)
const nextPeople = statement<{ id: number; told: 0 | 1 }>(
  `select u.id, case when u.status = 'active' then 1 else 0 end as told from users u where u.id > $1 order by u.id limit ${BATCH}`,
)

/** Moderators may use `@everyone` in their space; outside of spaces, administrators in public feeds. */
const mayNotifyEveryone = (author: Actor, feed: FeedAccessRow): boolean =>
  feed.space_id === null ? author.role === 'admin' && feed.privacy === 'public' : feedAbilities(author, feed).moderate

const subjectOf = (feedId: number) => `mention:feed:${feedId}`

/** The feed, if it contains `@everyone` and its author may use it. */
const everyoneFeed = async ({ db }: WriteContext, feedId: number): Promise<FeedAccessRow | undefined> => {
  const feed = await loadFeedAccess(db, feedId, 0)
  const author = feed?.status === 'published' ? await actorFor(db, feed.user_id) : undefined
  const own = author && (await loadFeedAccess(db, feedId, author.id))
  return own && mayNotifyEveryone(author, own) ? own : undefined
}

/** Starts the fan-out if a feed contains `@everyone` for the first time. The caller must hold the feed's row lock. */
export const beginFanOut = async (ctx: WriteContext, feedId: number, { message, content_type }: Text): Promise<void> => {
  if (!EVERYONE.test(message) || !(await mentionsIn(ctx, message, content_type)).includes('everyone')) return
  if ((await existing(ctx.db, [feedId, subjectOf(feedId), JSON.stringify(EVERYONE_META)])) || !(await everyoneFeed(ctx, feedId))) return
  await ctx.enqueue('notifications.fan_out', { feed_id: feedId, after: 0 } satisfies FanOutInput)
}

/** Notifies a batch of members and enqueues the next. A unique key per member and dedup key prevents notifying anybody twice. */
export const fanOut = job<FanOutInput>('notifications.fan_out', async (ctx, { feed_id: feedId, after }) => {
  const { db } = ctx
  await lockRow(db, 'feeds', feedId)
  const feed = await everyoneFeed(ctx, feedId)
  if (!feed) return
  const people = feed.space_id === null ? await nextPeople(db, [after]) : await nextMembers(db, [feed.space_id, after])
  const notice = {
    type: 'mention',
    subject: subjectOf(feedId),
    objectType: 'feed',
    objectId: feedId,
    actorId: feed.user_id,
    feedId,
  } as const
  await createNotifications(
    ctx,
    people.filter(({ id, told }) => told && id !== feed.user_id).map(({ id: userId }) => ({ ...notice, userId, meta: EVERYONE_META })),
  )
  const last = people.at(-1)
  if (last && people.length === BATCH) await ctx.enqueue('notifications.fan_out', { feed_id: feedId, after: last.id } satisfies FanOutInput)
})
