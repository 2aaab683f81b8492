import type { Answers, Inputs } from '@lyceum/sdk'
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { queryClient } from '../../lib/query.ts'

export type FeedPage = Answers['feeds']['list']
export type Feed = FeedPage['feeds']['data'][number]
/** Which feeds are listed: `space`, `user_id`, `topic_slug`, `search`, `order_by_type`. */
export type FeedFilter = Omit<Inputs['feeds']['list'], 'page' | 'per_page' | 'cursor'>

/** Pages of a list of feeds, one after the other by cursor, so that nothing appears twice while others post. */
export const feedListQuery = (filter: FeedFilter) =>
  infiniteQueryOptions({
    queryKey: ['feeds', 'list', filter],
    queryFn: ({ pageParam, signal }) => client.feeds.list({ ...filter, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ feeds }) => feeds.next_cursor ?? undefined,
  })

export const feedQuery = (slug: string) =>
  queryOptions({
    queryKey: ['feeds', 'one', slug],
    queryFn: async ({ signal }) => (await client.feeds.bySlug({ feed_slug: slug }, { signal })).data,
  })

type Pages = InfiniteData<FeedPage>

const changed = (page: FeedPage, id: number, change: (feed: Feed) => Feed): FeedPage => ({
  ...page,
  sticky: page.sticky?.id === id ? change(page.sticky) : page.sticky,
  feeds: { ...page.feeds, data: page.feeds.data.map((feed) => (feed.id === id ? change(feed) : feed)) },
})

/** Shows a feed otherwise wherever it is shown. What it gives back shows everything as it was. */
export const changeFeed = (id: number, change: (feed: Feed) => Feed): (() => void) => {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: ['feeds', 'list'] })
  const single = queryClient.getQueriesData<Feed>({ queryKey: ['feeds', 'one'] }).filter(([, feed]) => feed?.id === id)
  for (const [key, list] of lists)
    if (list) queryClient.setQueryData<Pages>(key, { ...list, pages: list.pages.map((page) => changed(page, id, change)) })
  for (const [key, feed] of single) if (feed) queryClient.setQueryData(key, change(feed))
  return () => {
    for (const [key, data] of [...lists, ...single]) queryClient.setQueryData(key, data)
  }
}

/** Takes a feed out of every list. */
export const dropFeed = (id: number): void => {
  queryClient.setQueriesData<Pages>({ queryKey: ['feeds', 'list'] }, (list) =>
    list && {
      ...list,
      pages: list.pages.map((page) => ({ ...page, feeds: { ...page.feeds, data: page.feeds.data.filter((feed) => feed.id !== id) } })),
    },
  )
}
