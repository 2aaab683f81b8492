import { type EventName, type EventPayload, PERMISSIONS } from '@lyceum/contract'
import type { LeasedDelivery } from '../../db/index.ts'
import type { Actor, ReadContext } from '../../platform/context.ts'
import { commentAbilities, loadComment, presentComment } from '../comments/index.ts'
import { feedAbilities, loadFeed, loadStanding, viewFeeds } from '../feeds/index.ts'
import { loadSpace, presentSpaces } from '../spaces/index.ts'
import { completionOf, enrolmentOf, followOf, memberOf, membershipOf, personOf, reactionOf, reportOf } from './records.ts'

/** Through whose eyes deliveries are written: an administrator who is nobody in particular, so that drafts of others stay hidden. */
const OBSERVER: Actor = {
  id: 0,
  username: '',
  role: 'admin',
  permissions: new Set(PERMISSIONS),
  managedSpaces: null,
  createdAt: '',
  sessionId: null,
}

type Data = Readonly<Record<string, unknown>>

interface Told {
  /** The record as it is now; null: it is gone, or not to be seen any more. */
  readonly record: Data | null
  /** What can be said of it in any case. */
  readonly ids: Data
  /** Whose doing it is, where that does not depend on who asked for it. */
  readonly by?: number | undefined
  /** Whose doing it is where nobody asked for it. */
  readonly of?: number | undefined
}

type Teller<N extends EventName> = (ctx: ReadContext, payload: EventPayload<N>) => Promise<Told>

const feedRecord = async (ctx: ReadContext, id: number) => {
  const row = await loadFeed(ctx.db, id, OBSERVER.id)
  if (!row) return null
  const [view] = feedAbilities(OBSERVER, row).view ? await viewFeeds({ ...ctx, actor: OBSERVER }, [row]) : []
  return { author: row.user_id, view: view ?? null }
}

const changedFeed: Teller<'feed.updated'> = async (ctx, { feed_id }) => {
  const found = await feedRecord(ctx, feed_id)
  return { record: found?.view ?? null, ids: { id: feed_id }, of: found?.author }
}

const commentRecord = async ({ db }: ReadContext, id: number) => {
  const row = await loadComment(db, id, OBSERVER.id)
  if (!row) return null
  const feed = await loadStanding(db, row.post_id, OBSERVER.id)
  return { author: row.user_id, view: feed && commentAbilities(OBSERVER, row, feed).view ? await presentComment(db, row) : null }
}

const target = ({ feed_id, comment_id }: EventPayload<'reaction.added'>) => ({
  object_id: comment_id ?? feed_id,
  object_type: comment_id === undefined ? 'feed' : 'comment',
  parent_id: comment_id === undefined ? null : feed_id,
})

const changedSpace: Teller<'space.updated'> = async ({ db }, { space_id }) => {
  const row = await loadSpace(db, space_id, OBSERVER.id)
  const [view] = row ? await presentSpaces({ db, actor: OBSERVER }, [row]) : []
  return { record: view ?? null, ids: { id: space_id } }
}

const joined: Teller<'space.member_joined'> = async ({ db }, { space_id, user_id }) => ({
  record: await membershipOf(db, space_id, user_id),
  ids: { space_id, user_id },
  of: user_id,
})

const person: Teller<'user.registered'> = async ({ db }, { user_id }) => ({
  record: await memberOf(db, user_id),
  ids: { id: user_id, user_id },
  of: user_id,
})

const report = async ({ db }: ReadContext, { report_id }: { readonly report_id: number }): Promise<Told> => {
  const record = await reportOf(db, report_id)
  const reporter = record?.['reporter_id']
  return { record, ids: { id: report_id }, of: typeof reporter === 'number' ? reporter : undefined }
}

const TELLERS: { readonly [N in EventName]?: Teller<N> } = {
  'feed.published': async (ctx, payload) => {
    const told = await changedFeed(ctx, payload)
    return { ...told, by: told.of }
  },
  'feed.updated': changedFeed,
  'feed.hidden': changedFeed,
  'feed.pinned': changedFeed,
  'feed.unpinned': changedFeed,
  'feed.deleted': async (_ctx, { feed_id, user_id, space_id }) => ({
    record: null,
    ids: { id: feed_id, user_id, space_id: space_id ?? null },
    of: user_id,
  }),
  'comment.published': async (ctx, { comment_id, feed_id }) => {
    const found = await commentRecord(ctx, comment_id)
    return { record: found?.view ?? null, ids: { id: comment_id, post_id: feed_id }, by: found?.author }
  },
  'comment.updated': async (ctx, { comment_id, feed_id }) => {
    const found = await commentRecord(ctx, comment_id)
    return { record: found?.view ?? null, ids: { id: comment_id, post_id: feed_id }, of: found?.author }
  },
  'comment.deleted': async (_ctx, { comment_id, feed_id, user_id }) => ({
    record: null,
    ids: { id: comment_id, post_id: feed_id, user_id },
    of: user_id,
  }),
  'reaction.added': async ({ db }, payload) => ({
    record: await reactionOf(db, payload.reaction_id),
    ids: { id: payload.reaction_id, user_id: payload.user_id, ...target(payload) },
    of: payload.user_id,
  }),
  'reaction.removed': async (_ctx, payload) => ({
    record: null,
    ids: { id: payload.reaction_id, user_id: payload.user_id, ...target(payload) },
    of: payload.user_id,
  }),
  'space.created': async (ctx, { space_id, user_id }) => ({ ...(await changedSpace(ctx, { space_id })), of: user_id }),
  'space.updated': changedSpace,
  'space.deleted': async (_ctx, { space_id }) => ({ record: null, ids: { id: space_id } }),
  'space.member_joined': joined,
  'space.member_invited': joined,
  'space.member_left': async (_ctx, { space_id, user_id }) => ({ record: null, ids: { space_id, user_id }, of: user_id }),
  'user.registered': async (ctx, payload) => ({ ...(await person(ctx, payload)), by: payload.user_id }),
  'user.profile_updated': person,
  'follow.started': async ({ db }, { follow_id, follower_id, following_id }) => ({
    record: await followOf(db, follower_id, following_id),
    ids: { id: follow_id, follower_id, following_id },
    by: follower_id,
  }),
  'follow.ended': async (_ctx, { follower_id, following_id }) => ({ record: null, ids: { follower_id, following_id }, of: follower_id }),
  'course.enrolled': async ({ db }, { course_id, user_id }) => ({
    record: await enrolmentOf(db, course_id, user_id),
    ids: { course_id, user_id },
    of: user_id,
  }),
  'course.unenrolled': async (_ctx, { course_id, user_id }) => ({ record: null, ids: { course_id, user_id }, of: user_id }),
  'lesson.completed': async ({ db }, { lesson_id, course_id, user_id }) => ({
    record: await completionOf(db, lesson_id, user_id),
    ids: { lesson_id, course_id, user_id },
    by: user_id,
  }),
  'report.created': report,
  'report.resolved': report,
}

const isoOf = (datetime: string): string => `${datetime.replace(' ', 'T')}Z`

/** The body of a delivery. It is written anew for each attempt, so that it never tells what has gone out of sight meanwhile. */
export const deliveryBody = async (ctx: ReadContext, delivery: LeasedDelivery): Promise<string> => {
  const { name, payload, actor_id, event, occurred_at } = delivery
  const teller = TELLERS[name as EventName] as Teller<never> | undefined
  const { record, ids, by, of } = teller ? await teller(ctx, JSON.parse(payload) as never) : { record: null, ids: {} }
  const actor = by ?? actor_id ?? of ?? null
  const xprofile = actor === null ? null : await personOf(ctx.db, actor)
  return JSON.stringify({ event, timestamp: isoOf(occurred_at), data: record ?? ids, xprofile })
}

/** The body of a test: nothing has happened but that somebody asked for it. */
export const testBody = async ({ db, now }: ReadContext, webhook: { readonly id: number; readonly name: string }, actorId: number) =>
  JSON.stringify({
    event: 'webhook.test',
    timestamp: isoOf(now),
    data: { webhook_id: webhook.id, name: webhook.name },
    xprofile: await personOf(db, actorId),
  })
