import { client } from '../../../lib/client.ts'
import { type Feed, refreshFeed } from '../queries.ts'
import { bodyOf, changesOf, type PostDraft } from './form-state.ts'

interface Sent {
  readonly draft: PostDraft
  /** The post that is changed. */
  readonly editing: Feed | undefined
  /** Whether it is kept rather than published. */
  readonly asDraft: boolean
  /** Why somebody else's post is edited. */
  readonly reason?: string | undefined
}

/** Sends a new post, or what has changed of one. Tells what it has become. */
export const sendPost = async ({ draft, editing, asDraft, reason }: Sent, keyOf: (body: unknown) => string) => {
  const body = bodyOf(draft, editing, asDraft)
  if (!editing) return (await client.feeds.create(body, { idempotencyKey: keyOf(body) })).data.status
  await client.feeds.update({ feed_id: editing.id, ...changesOf(draft, editing, asDraft), ...(reason && { reason }) })
  const { status } = await refreshFeed(editing.id)
  return status === editing.status ? 'saved' : status
}

/** What is said then. */
export const SAID: Readonly<Record<string, string>> = {
  pending: 'composer.waiting',
  scheduled: 'composer.planned',
  draft: 'composer.drafted',
  saved: 'composer.saved',
}
