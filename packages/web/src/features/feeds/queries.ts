import type { Answers, Inputs } from '@lyceum/sdk'
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'

export type FeedPage = Answers['feeds']['list']
export type Feed = FeedPage['feeds']['data'][number]
/** Filters of a feed list: `space`, `user_id`, `topic_slug`, `search`, `order_by_type`. */
export type FeedFilter = Omit<Inputs['feeds']['list'], 'page' | 'per_page' | 'cursor'>

/** Lists stay fresh for this long, so that the scroll position is found again. New posts are announced separately. */
const LIST_STAYS_MS = 300_000

/** A feed list, paged by cursor so that new posts do not cause duplicates. */
export const feedListQuery = (filter: FeedFilter) =>
  infiniteQueryOptions({
    queryKey: keys.feeds.list(filter),
    queryFn: ({ pageParam, signal }) => client.feeds.list({ ...filter, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ feeds }) => feeds.next_cursor ?? undefined,
    staleTime: LIST_STAYS_MS,
  })

export type BookmarkOrder = NonNullable<Inputs['bookmarks']['list']['order_by_type']>
const BOOKMARKS_A_PAGE = 20

/** The user's bookmarks, in the shape of a feed list. */
export const bookmarkListQuery = (order: BookmarkOrder) =>
  infiniteQueryOptions({
    queryKey: keys.feeds.bookmarks(order),
    queryFn: async ({ pageParam, signal }): Promise<FeedPage> => {
      const page = Number(pageParam || 1)
      const { data, meta } = await client.bookmarks.list({ page, per_page: BOOKMARKS_A_PAGE, order_by_type: order }, { signal })
      const has_more = page < meta.total_pages
      const about = { current_page: page, per_page: meta.per_page, from: null, to: null, has_more, total: meta.total }
      return {
        feeds: { ...about, data: data.map(({ feed }) => feed), next_cursor: has_more ? String(page + 1) : null },
        sticky: null,
        execution_time: 0,
      }
    },
    initialPageParam: '',
    getNextPageParam: ({ feeds }) => feeds.next_cursor ?? undefined,
    staleTime: LIST_STAYS_MS,
  })

export const feedQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.feeds.detail(slug),
    queryFn: async ({ signal }) => (await client.feeds.bySlug({ feed_slug: slug }, { signal })).data,
  })

export type Space = Answers['spaces']['list']['spaces'][number]
/** Maximum page size of the API. */
const MOST_SPACES = 100

/** Spaces with the user's permissions in each. */
export const spacesQuery = queryOptions({
  queryKey: keys.spaces.permissions,
  queryFn: async ({ signal }) => (await client.spaces.list({ per_page: MOST_SPACES }, { signal })).spaces,
  staleTime: 300_000,
})

export const topicsQuery = (space?: string) =>
  queryOptions({
    queryKey: keys.feeds.topics(space ?? ''),
    queryFn: ({ signal }) => client.topics.list({ per_page: 100, ...(space && { space }) }, { signal }),
    staleTime: 300_000,
  })

type Pages = InfiniteData<FeedPage>

const changed = (page: FeedPage, id: number, change: (feed: Feed) => Feed): FeedPage => ({
  ...page,
  sticky: page.sticky?.id === id ? change(page.sticky) : page.sticky,
  feeds: { ...page.feeds, data: page.feeds.data.map((feed) => (feed.id === id ? change(feed) : feed)) },
})

/** Updates a feed in all cached lists. Returns an undo function. */
export const changeFeed = (id: number, change: (feed: Feed) => Feed): (() => void) => {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: keys.feeds.lists })
  const single = queryClient.getQueriesData<Feed>({ queryKey: keys.feeds.details }).filter(([, feed]) => feed?.id === id)
  for (const [key, list] of lists)
    if (list) queryClient.setQueryData<Pages>(key, { ...list, pages: list.pages.map((page) => changed(page, id, change)) })
  for (const [key, feed] of single) if (feed) queryClient.setQueryData(key, change(feed))
  return () => {
    for (const [key, data] of [...lists, ...single]) queryClient.setQueryData(key, data)
  }
}

/** Removes a feed from all cached lists. */
const removeFeedFromLists = (id: number): void => {
  queryClient.setQueriesData<Pages>(
    { queryKey: keys.feeds.lists },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          sticky: page.sticky?.id === id ? null : page.sticky,
          feeds: { ...page.feeds, data: page.feeds.data.filter((feed) => feed.id !== id) },
        })),
      },
  )
}

const REFRESH_MS = 400
const refreshing = new Set<number>()
/** Feeds that the user deletes or has deleted. A request for one would be answered with 404. */
const deleted = new Set<number>()

/** Deletes a feed. @throws if the server rejects it */
export const deleteFeed = async (id: number): Promise<void> => {
  deleted.add(id)
  try {
    await client.feeds.remove({ feed_id: id })
  } catch (error) {
    deleted.delete(id)
    throw error
  }
  removeFeedFromLists(id)
}

/** Refetches a feed, at most once for several events in a short time. */
export const refreshFeedSoon = (id: number): void => {
  if (refreshing.has(id)) return
  refreshing.add(id)
  setTimeout(() => {
    refreshing.delete(id)
    if (deleted.has(id)) return
    // Someone else may have deleted it; its page shows that on the next request.
    void refreshFeed(id).catch(() => {})
  }, REFRESH_MS)
}

/** Refetches a feed and updates it in all cached lists. */
export const refreshFeed = async (id: number): Promise<Feed> => {
  const { data } = await client.feeds.byId({ feed_id: id })
  changeFeed(id, () => data)
  return data
}
