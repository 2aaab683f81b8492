import { LyceumError } from '@lyceum/sdk'
import i18next from 'i18next'
import { client } from '../../lib/client.ts'
import { say } from '../../ui/toasts.tsx'
import { changeFeed, type Feed } from './queries.ts'

export const REACTIONS = ['like', 'love', 'laugh', 'wow', 'sad', 'angry'] as const
export type ReactionType = (typeof REACTIONS)[number]

/** Shows it as done at once; what the server refuses is shown as it was, and said. */
const atOnce = async (undo: () => void, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    undo()
    say(error instanceof LyceumError ? error.message : i18next.t('common:failure.offline'), 'failed')
  }
}

/** Reacts to a feed; the same again takes it back, another takes its place. */
export const react = (feed: Feed, type: ReactionType): Promise<void> => {
  const had = feed.has_user_react
  const undo = changeFeed(feed.id, (before) => ({
    ...before,
    has_user_react: had === type ? null : type,
    reactions_count: before.reactions_count + (had === type ? -1 : had ? 0 : 1),
  }))
  return atOnce(undo, () => client.reactions.toFeed({ feed_id: feed.id, type }))
}

export const bookmark = (feed: Feed): Promise<void> => {
  const undo = changeFeed(feed.id, (before) => ({ ...before, bookmarked: !feed.bookmarked }))
  return atOnce(undo, () =>
    client.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark', ...(feed.bookmarked && { remove: true }) }),
  )
}
