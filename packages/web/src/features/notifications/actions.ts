import type { InfiniteData } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { optimistic } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import { type Notification, type NotificationPage, unreadQuery } from './queries.ts'

type Pages = InfiniteData<NotificationPage>
type Change = (all: readonly Notification[]) => Notification[]

/** Updates the cached lists and the unread count. Returns an undo function. */
const change = (of: Change, unread: (before: number) => number): (() => void) => {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: keys.notifications.lists })
  const count = queryClient.getQueryData(unreadQuery.queryKey)
  for (const [key, list] of lists)
    if (list)
      queryClient.setQueryData<Pages>(key, {
        ...list,
        pages: list.pages.map((page) => ({ notifications: { ...page.notifications, data: of(page.notifications.data) } })),
      })
  if (count !== undefined) queryClient.setQueryData(unreadQuery.queryKey, Math.max(0, unread(count)))
  return () => {
    for (const [key, list] of lists) queryClient.setQueryData(key, list)
    queryClient.setQueryData(unreadQuery.queryKey, count)
  }
}

export const markRead = async ({ id, is_read }: Notification): Promise<void> => {
  if (is_read) return
  const undo = change(
    (all) => all.map((one) => (one.id === id ? { ...one, is_read: true } : one)),
    (before) => before - 1,
  )
  await optimistic(undo, () => client.notifications.read({ notification_id: id }))
}

/** Marks notifications about a post and its comments as read when the post is opened. */
export const markReadAbout = async (permalink: string): Promise<void> => {
  const path = new URL(permalink).pathname
  if ((await queryClient.fetchQuery(unreadQuery)) === 0) return
  const { notifications } = await client.notifications.unread()
  for (const notification of notifications) if (new URL(notification.action_url).pathname === path) await markRead(notification)
}

export const markAllRead = async (): Promise<void> => {
  const undo = change(
    (all) => all.map((one) => ({ ...one, is_read: true })),
    () => 0,
  )
  await optimistic(undo, () => client.notifications.markAllRead())
}

export const remove = async ({ id, is_read }: Notification): Promise<void> => {
  const undo = change(
    (all) => all.filter((one) => one.id !== id),
    (before) => before - (is_read ? 0 : 1),
  )
  await optimistic(undo, () => client.notifications.remove({ notification_id: id }))
}

export const removeAll = async (): Promise<void> => {
  await client.notifications.removeAll()
  change(
    () => [],
    () => 0,
  )
}
