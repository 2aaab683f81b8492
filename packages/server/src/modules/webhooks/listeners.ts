import type { EventName, EventPayload, WebhookEvent } from '@lyceum/contract'
import { type Db, statementOne } from '../../db/index.ts'
import { type Listener, on, onBatch } from '../../jobs/index.ts'
import { hasFeature } from '../settings/index.ts'
import { SEND_JOB } from './deliver.ts'
import { isSubscribed, recordDeliveries, waitingWebhooks } from './queries.ts'

const statusOf = statementOne<{ status: string }>('select status from feeds where id = $1')
/** Drafts are private, although they can be pinned. */
const isPublished = async (db: Db, { feed_id }: { readonly feed_id: number }): Promise<boolean> => {
  const feed = await statusOf(db, [feed_id])
  return feed?.status !== 'draft' && feed?.status !== 'scheduled'
}

type Condition<N extends EventName> = (db: Db, payload: EventPayload<N>) => Promise<boolean>

/** Records a delivery of each event for each webhook that subscribes to it, and enqueues their senders. */
const deliverOn = <N extends EventName>(name: N, event: WebhookEvent, holds: Condition<N> = async () => true): Listener =>
  onBatch(name, 'webhooks.record', async ({ db, now, enqueueEach }, payloads, eventIds) => {
    if (!(await isSubscribed(db, event)) || !(await hasFeature(db, 'webhooks'))) return
    const ids: number[] = []
    for (const [i, id] of eventIds.entries()) if (id !== null && (await holds(db, payloads[i] as EventPayload<N>))) ids.push(id)
    const due = await recordDeliveries(db, ids, event, now)
    await enqueueEach(
      SEND_JOB,
      [...due].map((webhook_id) => ({ webhook_id })),
    )
  })

/** Sends the deliveries held back while webhooks were turned off. */
const resume = on('settings.changed', 'webhooks.resume', async ({ db, enqueue }) => {
  if (!(await hasFeature(db, 'webhooks'))) return
  for (const webhook_id of await waitingWebhooks(db)) await enqueue(SEND_JOB, { webhook_id })
})

export const webhookListeners: readonly Listener[] = [
  deliverOn('feed.published', 'feed.created'),
  deliverOn('feed.updated', 'feed.updated'),
  deliverOn('feed.hidden', 'feed.updated'),
  deliverOn('feed.deleted', 'feed.deleted', async (_db, { draft_id }) => draft_id === undefined),
  deliverOn('feed.pinned', 'feed.pinned', isPublished),
  deliverOn('feed.unpinned', 'feed.unpinned', isPublished),
  deliverOn('comment.published', 'comment.created'),
  deliverOn('comment.updated', 'comment.updated'),
  deliverOn('comment.deleted', 'comment.deleted'),
  deliverOn('reaction.added', 'reaction.added'),
  deliverOn('reaction.removed', 'reaction.removed'),
  deliverOn('space.created', 'space.created'),
  deliverOn('space.updated', 'space.updated'),
  deliverOn('space.deleted', 'space.deleted'),
  deliverOn('space.member_joined', 'space.member_joined'),
  deliverOn('space.member_invited', 'space.member_joined'),
  deliverOn('space.member_left', 'space.member_left'),
  deliverOn('user.registered', 'user.registered'),
  deliverOn('user.profile_updated', 'user.profile_updated'),
  deliverOn('follow.started', 'user.followed'),
  deliverOn('follow.ended', 'user.unfollowed', async (_db, { request_id }) => request_id === undefined),
  deliverOn('course.enrolled', 'course.enrolled'),
  deliverOn('course.unenrolled', 'course.unenrolled'),
  deliverOn('lesson.completed', 'lesson.completed'),
  deliverOn('report.created', 'report.created'),
  deliverOn('report.resolved', 'report.resolved'),
  resume,
]
