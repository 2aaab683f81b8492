import type { Answers } from '@lyceum/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { nextPage } from '../../lib/pagination.ts'
import { keys } from '../../lib/query-keys.ts'

export type NotificationPage = Answers['notifications']['list']
export type Notification = NotificationPage['notifications']['data'][number]
export type Preferences = Answers['notifications']['preferences']['data']

export const notificationsQuery = (unreadOnly: boolean) =>
  infiniteQueryOptions({
    queryKey: keys.notifications.list(unreadOnly),
    queryFn: ({ pageParam, signal }) =>
      client.notifications.list({ page: pageParam, per_page: 30, ...(unreadOnly && { is_read: false }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ notifications }) => nextPage(notifications),
  })

/** The unread count; the stream sends an event when it changes. */
export const unreadQuery = queryOptions({
  queryKey: keys.notifications.unread,
  queryFn: async ({ signal }) => (await client.notifications.unread({}, { signal })).unread_count,
  staleTime: 60_000,
})

export const preferencesQuery = queryOptions({
  queryKey: keys.notifications.preferences,
  queryFn: async ({ signal }) => (await client.notifications.preferences({ username: 'me' }, { signal })).data,
})
