import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/parents.tsx'
import { queryClient } from '../../lib/query.ts'
import { feedListQuery } from './queries.ts'

export const feedRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/',
    loader: () => void queryClient.prefetchInfiniteQuery(feedListQuery({})),
    component: lazyRouteComponent(() => import('./home.tsx'), 'HomePage'),
  }),
] as const
