import type { EventName, WebhookEvent } from '@lyceum/contract'
import { batchStatement, type Db } from '../../db/index.ts'
import { type Happened, type Listener, on } from '../../jobs/index.ts'
import { idsOf } from '../../util/distinct.ts'
import { hasFeature } from '../settings/index.ts'
import { SEND_JOB } from './deliver.ts'
import { isSubscribed, recordDeliveries, waitingWebhooks } from './queries.ts'

const draftsOf = batchStatement<{ id: number }>(
  { id: 'bigint' },
  (rows) => `select f.id from ${rows} d join feeds f on f.id = d.id where f.status in ('draft', 'scheduled')`,
)
/** Drafts are private, although they can be pinned. */
const exceptDrafts = async <E extends { readonly feed_id: number }>(db: Db, events: readonly E[]): Promise<E[]> => {
  const drafts = new Set((await draftsOf(db, idsOf(events, 'feed_id'))).map(({ id }) => id))
  return events.filter(({ feed_id }) => !drafts.has(feed_id))
}

type Selection<N extends EventName> = (db: Db, events: readonly Happened<N>[]) => Promise<readonly Happened<N>[]>

/** Records a delivery of each event for each webhook that subscribes to it, and enqueues their senders. */
const deliverOn = <N extends EventName>(name: N, event: WebhookEvent, select: Selection<N> = async (_db, events) => events): Listener =>
  on(name, 'webhooks.record', async ({ db, now, enqueueEach }, events) => {
    if (!(await isSubscribed(db, event)) || !(await hasFeature(db, 'webhooks'))) return
    const ids = (await select(db, events)).flatMap(({ event_id }) => event_id ?? [])
    const due = await recordDeliveries(db, ids, event, now)
    await enqueueEach(
      SEND_JOB,
      [...due].map((webhook_id) => ({ webhook_id })),
    )
  })

/** Sends the deliveries held back while webhooks were turned off. */
const resume = on('settings.changed', 'webhooks.resume', async ({ db, enqueueEach }) => {
  if (!(await hasFeature(db, 'webhooks'))) return
  await enqueueEach(
    SEND_JOB,
    (await waitingWebhooks(db)).map((webhook_id) => ({ webhook_id })),
  )
})

/** Events that are delivered under their own name, all of them. */
const OWN_NAME = [
  'feed.updated',
  'comment.updated',
  'comment.deleted',
  'comment.marked_helpful',
  'comment.unmarked_helpful',
  'reaction.added',
  'reaction.removed',
  'space.created',
  'space.updated',
  'space.deleted',
  'space.join_requested',
  'space.member_joined',
  'space.member_updated',
  'space.member_left',
  'user.approval_requested',
  'user.registered',
  'user.profile_updated',
  'user.status_changed',
  'user.warned',
  'user.deleted',
  'course.created',
  'course.published',
  'course.deleted',
  'course.enrolled',
  'course.unenrolled',
  'course.completed',
  'lesson.published',
  'lesson.deleted',
  'lesson.completed',
  'quiz.submitted',
  'quiz.graded',
  'report.created',
  'report.updated',
  'report.resolved',
  'manager.changed',
] as const

export const webhookListeners: readonly Listener[] = [
  ...OWN_NAME.map((name) => deliverOn(name, name)),
  deliverOn('feed.published', 'feed.created'),
  deliverOn('feed.hidden', 'feed.updated'),
  deliverOn('feed.deleted', 'feed.deleted', async (_db, events) => events.filter(({ draft_id }) => draft_id === undefined)),
  deliverOn('feed.pinned', 'feed.pinned', exceptDrafts),
  deliverOn('feed.unpinned', 'feed.unpinned', exceptDrafts),
  deliverOn('comment.published', 'comment.created'),
  deliverOn('space.member_invited', 'space.member_joined'),
  deliverOn('follow.started', 'user.followed'),
  deliverOn('follow.ended', 'user.unfollowed', async (_db, events) => events.filter(({ request_id }) => request_id === undefined)),
  resume,
]
