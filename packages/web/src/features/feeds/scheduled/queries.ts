import { infiniteQueryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { toast } from '../../../ui/toasts.tsx'
import { type Feed, type FeedPage, refreshFeed } from '../queries.ts'

/** Scheduled posts, soonest first, in the shape of a feed list. */
export const scheduledQuery = (userId: number) =>
  infiniteQueryOptions({
    queryKey: keys.feeds.scheduled,
    queryFn: async ({ pageParam, signal }): Promise<FeedPage> => {
      const page = Number(pageParam || 1)
      const { posts, pagination } = await client.scheduledPosts.list({ user_id: userId, page }, { signal })
      const has_more = page < pagination.total_pages
      const about = { current_page: page, per_page: pagination.per_page, from: null, to: null, has_more, total: pagination.total }
      return { feeds: { ...about, data: posts, next_cursor: has_more ? String(page + 1) : null }, sticky: null, execution_time: 0 }
    },
    initialPageParam: '',
    getNextPageParam: ({ feeds }) => feeds.next_cursor ?? undefined,
    staleTime: 0,
  })

/** @throws if the server rejects it */
export const publishNow = async ({ id }: Feed): Promise<void> => {
  const { status } = await client.scheduledPosts.publish({ feed_id: id })
  toast(i18next.t(status === 'pending' ? 'feeds:composer.pendingReview' : 'feeds:composer.posted'))
  await refreshFeed(id)
  await queryClient.invalidateQueries({ queryKey: keys.feeds.lists })
}
