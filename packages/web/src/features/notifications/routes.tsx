import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'
import { queryClient } from '../../lib/query.ts'
import { notificationsQuery } from './queries.ts'

export const notificationRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/notifications',
    validateSearch: ({ unread }: Record<string, unknown>): { unread?: boolean | undefined } => ({ unread: unread === true || undefined }),
    loader: () => void queryClient.prefetchInfiniteQuery(notificationsQuery(false)),
    component: lazyRouteComponent(() => import('./notifications-page.tsx'), 'NotificationsPage'),
  }),
] as const
