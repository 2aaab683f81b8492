import { client } from '../../../lib/client.ts'
import { type Feed, refreshFeed } from '../queries.ts'
import { bodyOf, type PostDraft } from './form.ts'

/** Sends a new post, or what has changed of one. */
export const sendPost = async (draft: PostDraft, editing: Feed | undefined, keyOf: (body: unknown) => string) => {
  const body = bodyOf(draft, editing)
  if (!editing) return (await client.feeds.create(body, { idempotencyKey: keyOf(body) })).data.status
  await client.feeds.update({ feed_id: editing.id, ...body })
  await refreshFeed(editing.id)
  return 'saved'
}

/** What is said then. */
export const SAID: Readonly<Record<string, string>> = {
  pending: 'composer.waiting',
  scheduled: 'composer.planned',
  saved: 'composer.saved',
}
