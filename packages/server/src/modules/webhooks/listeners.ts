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

export const webhookListeners: readonly Listener[] = [
  deliverOn('feed.published', 'feed.created'),
  deliverOn('feed.updated', 'feed.updated'),
  deliverOn('feed.hidden', 'feed.updated'),
  deliverOn('feed.deleted', 'feed.deleted', async (_db, events) => events.filter(({ draft_id }) => draft_id === undefined)),
  deliverOn('feed.pinned', 'feed.pinned', exceptDrafts),
  deliverOn('feed.unpinned', 'feed.unpinned', exceptDrafts),
  deliverOn('comment.published', 'comment.created'),
  deliverOn('comment.updated', 'comment.updated'),
  deliverOn('comment.deleted', 'comment.deleted'),
  deliverOn('comment.marked_helpful', 'comment.marked_helpful'),
  deliverOn('comment.unmarked_helpful', 'comment.unmarked_helpful'),
  deliverOn('reaction.added', 'reaction.added'),
  deliverOn('reaction.removed', 'reaction.removed'),
  deliverOn('space.created', 'space.created'),
  deliverOn('space.updated', 'space.updated'),
  deliverOn('space.deleted', 'space.deleted'),
  deliverOn('space.join_requested', 'space.join_requested'),
  deliverOn('space.member_joined', 'space.member_joined'),
  deliverOn('space.member_invited', 'space.member_joined'),
  deliverOn('space.member_updated', 'space.member_updated'),
  deliverOn('space.member_left', 'space.member_left'),
  deliverOn('user.approval_requested', 'user.approval_requested'),
  deliverOn('user.registered', 'user.registered'),
  deliverOn('user.profile_updated', 'user.profile_updated'),
  deliverOn('follow.started', 'user.followed'),
  deliverOn('follow.ended', 'user.unfollowed', async (_db, events) => events.filter(({ request_id }) => request_id === undefined)),
  deliverOn('user.status_changed', 'user.status_changed'),
  deliverOn('user.warned', 'user.warned'),
  deliverOn('user.deleted', 'user.deleted'),
  deliverOn('course.created', 'course.created'),
  deliverOn('course.published', 'course.published'),
  deliverOn('course.deleted', 'course.deleted'),
  deliverOn('course.enrolled', 'course.enrolled'),
  deliverOn('course.unenrolled', 'course.unenrolled'),
  deliverOn('course.completed', 'course.completed'),
  deliverOn('lesson.published', 'lesson.published'),
  deliverOn('lesson.deleted', 'lesson.deleted'),
  deliverOn('lesson.completed', 'lesson.completed'),
  deliverOn('quiz.submitted', 'quiz.submitted'),
  deliverOn('quiz.graded', 'quiz.graded'),
  deliverOn('report.created', 'report.created'),
  deliverOn('report.updated', 'report.updated'),
  deliverOn('report.resolved', 'report.resolved'),
  deliverOn('manager.changed', 'manager.changed'),
  resume,
]
