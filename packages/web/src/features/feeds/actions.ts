import i18next from 'i18next'
import { client } from '../../lib/client.ts'
import { optimistic } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import { toast } from '../../ui/toasts.tsx'
import { changeFeed, deleteFeed, type Feed } from './queries.ts'
import { nextReaction, type ReactionType } from './reactions.ts'

/** Sets the user's reaction to a feed. The same reaction again removes it; another one replaces it. */
export const react = (feed: Feed, type: ReactionType): Promise<boolean> => {
  const undo = changeFeed(feed.id, (before) => nextReaction(before, type))
  const state = feed.has_user_react !== type
  return optimistic(undo, () => client.reactions.toFeed({ feed_id: feed.id, type, state }))
}

export const bookmark = (feed: Feed): Promise<boolean> => {
  const undo = changeFeed(feed.id, (before) => ({ ...before, bookmarked: !feed.bookmarked }))
  return optimistic(undo, async () => {
    await client.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark', state: !feed.bookmarked })
    await queryClient.invalidateQueries({ queryKey: keys.feeds.bookmarkLists, refetchType: 'none' })
  })
}

export const pin = async (feed: Feed): Promise<void> => {
  const undo = changeFeed(feed.id, (before) => ({ ...before, is_sticky: !feed.is_sticky }))
  const done = await optimistic(undo, () => client.feeds.update({ feed_id: feed.id, is_sticky: !feed.is_sticky }))
  if (!done) return
  toast(i18next.t(feed.is_sticky ? 'feeds:feed.unpinnedToast' : 'feeds:feed.pinnedToast'))
  await queryClient.invalidateQueries({ queryKey: keys.feeds.lists })
}

/** @throws if the server rejects it */
export const removeFeed = async (feed: Feed): Promise<void> => {
  await deleteFeed(feed.id)
  toast(i18next.t('feeds:feed.deleted'))
}

/** Copies the URL to the clipboard. */
export const copyLink = async (url: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(url)
    toast(i18next.t('feeds:feed.linkCopied'))
  } catch {
    toast(url)
  }
}
