import type { Answers } from '@lyceum/sdk'
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import { client } from '../../../lib/client.ts'
import { optimistic } from '../../../lib/optimistic.ts'
import { nextPage } from '../../../lib/pagination.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { toast } from '../../../ui/toasts.tsx'
import { changeFeed } from '../queries.ts'
import { nextReaction, type ReactionType } from '../reactions.ts'

type Page = Answers['comments']['list']
export type Comment = Page['comments'][number]
type Pages = InfiniteData<Page>

const A_PAGE = 30

/** Comments of a feed with their replies, oldest first after a pinned one. */
export const commentsQuery = (feedId: number) =>
  infiniteQueryOptions({
    queryKey: keys.feeds.comments(feedId),
    queryFn: ({ pageParam, signal }) => client.comments.list({ feed_id: feedId, page: pageParam, per_page: A_PAGE }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => nextPage(pagination),
  })

export const refreshComments = (feedId: number): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.feeds.comments(feedId) })

/** Updates the cached comments of a feed. Returns an undo function. */
const setComments = (feedId: number, change: (comments: readonly Comment[], isLast: boolean) => readonly Comment[]): (() => void) => {
  const before = queryClient.getQueryData<Pages>(keys.feeds.comments(feedId))
  if (before) {
    const last = before.pages.length - 1
    const pages = before.pages.map((page, n) => ({ ...page, comments: [...change(page.comments, n === last)] }))
    queryClient.setQueryData<Pages>(keys.feeds.comments(feedId), { ...before, pages })
  }
  return () => queryClient.setQueryData(keys.feeds.comments(feedId), before)
}

const changeComment = ({ id, post_id }: Comment, change: (comment: Comment) => Comment) =>
  setComments(post_id, (comments) => comments.map((comment) => (comment.id === id ? change(comment) : comment)))

/** Replaces a comment in the cache, or appends it if it is new. */
export const showComment = async (feedId: number, id: number): Promise<void> => {
  const { data } = await client.comments.byId({ comment_id: id })
  const known = queryClient
    .getQueryData<Pages>(keys.feeds.comments(feedId))
    ?.pages.some(({ comments }) => comments.some((comment) => comment.id === id))
  if (known) changeComment(data, () => data)
  else {
    setComments(feedId, (comments, isLast) => (isLast ? [...comments, data] : comments))
    if (data.status === 'published') changeFeed(feedId, (feed) => ({ ...feed, comments_count: feed.comments_count + 1 }))
  }
}

export const reactToComment = (comment: Comment, type: ReactionType): Promise<boolean> => {
  const undo = changeComment(comment, (before) => nextReaction(before, type))
  const state = comment.has_user_react !== type
  return optimistic(undo, () => client.reactions.toComment({ feed_id: comment.post_id, comment_id: comment.id, type, state }))
}

export const markHelpful = (comment: Comment): Promise<boolean> => {
  const of = { feed_id: comment.post_id, comment_id: comment.id }
  const undo = changeComment(comment, (before) => ({ ...before, is_helpful: !comment.is_helpful }))
  return optimistic(undo, () => (comment.is_helpful ? client.comments.unmarkHelpful(of) : client.comments.markHelpful(of)))
}

export const pinComment = async (comment: Comment): Promise<void> => {
  const undo = changeComment(comment, (before) => ({ ...before, is_sticky: !comment.is_sticky }))
  const done = await optimistic(undo, () =>
    client.comments.update({ feed_id: comment.post_id, comment_id: comment.id, is_sticky: !comment.is_sticky }),
  )
  if (done) await refreshComments(comment.post_id)
}

/** @throws if the server rejects it */
export const removeComment = async (comment: Comment): Promise<void> => {
  await client.comments.remove({ feed_id: comment.post_id, comment_id: comment.id })
  let gone = 0
  setComments(comment.post_id, (comments) => {
    const stays = comments.filter(({ id, parent_id }) => id !== comment.id && parent_id !== comment.id)
    gone += comments.length - stays.length
    return stays
  })
  changeFeed(comment.post_id, (feed) => ({ ...feed, comments_count: Math.max(0, feed.comments_count - gone) }))
  toast(i18next.t('feeds:comment.deleted'))
}

export interface Thread {
  readonly comment: Comment
  readonly replies: readonly Comment[]
}

/** Comments grouped with their replies. */
export const threadsOf = (pages: readonly Page[]): readonly Thread[] => {
  const all = [...new Map(pages.flatMap(({ comments }) => comments).map((comment) => [comment.id, comment])).values()]
  const ids = new Set(all.map(({ id }) => id))
  const isTop = ({ parent_id }: Comment) => parent_id === null || !ids.has(parent_id)
  const replies = Map.groupBy(
    all.filter((comment) => !isTop(comment)),
    ({ parent_id }) => parent_id,
  )
  return all.filter(isTop).map((comment) => ({ comment, replies: replies.get(comment.id) ?? [] }))
}
