import { client } from '../../../lib/client.ts'
import { type Feed, refreshFeed } from '../queries.ts'
import { bodyOf, changesOf, type PostDraft } from './form-state.ts'

interface Sent {
  readonly draft: PostDraft
  /** The post to edit. */
  readonly editing: Feed | undefined
  /** Whether to save a draft instead of publishing. */
  readonly asDraft: boolean
  /** The moderator's reason for editing. */
  readonly reason?: string | undefined
}

/** Creates a post, or sends the changes of one. Returns the saved post. */
export const sendPost = async ({ draft, editing, asDraft, reason }: Sent, keyOf: (body: unknown) => string) => {
  const body = bodyOf(draft, editing, asDraft)
  if (!editing) return (await client.feeds.create(body, { idempotencyKey: keyOf(body) })).data.status
  await client.feeds.update({ feed_id: editing.id, ...changesOf(draft, editing, asDraft), ...(reason && { reason }) })
  const { status } = await refreshFeed(editing.id)
  return status === editing.status ? 'saved' : status
}

/** The confirmation message for a saved post. */
export const CONFIRMATIONS: Readonly<Record<string, string>> = {
  pending: 'composer.pendingReview',
  scheduled: 'composer.scheduled',
  draft: 'composer.draftSaved',
  saved: 'composer.saved',
}
