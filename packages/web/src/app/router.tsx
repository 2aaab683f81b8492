import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { accountRoutes } from '../features/account/routes.tsx'
import { adminRoutes } from '../features/admin/routes.tsx'
import { authRoutes } from '../features/auth/routes.tsx'
import { courseRoutes } from '../features/courses/routes.tsx'
import { feedRoutes } from '../features/feeds/routes.tsx'
import { notificationRoutes } from '../features/notifications/routes.tsx'
import { peopleRoutes } from '../features/people/routes.tsx'
import { spaceRoutes } from '../features/spaces/routes.tsx'
import { teachingRoutes } from '../features/teaching/routes.tsx'
import { BASE_PATH } from '../lib/base-path.ts'
import { Failure } from '../ui/feedback.tsx'
import { members, root } from './root-routes.tsx'

const routeTree = root.addChildren([
  ...authRoutes,
  members.addChildren([
    ...feedRoutes,
    ...spaceRoutes,
    ...peopleRoutes,
    ...notificationRoutes,
    ...accountRoutes,
    ...courseRoutes,
    ...teachingRoutes,
    ...adminRoutes,
    createRoute({ getParentRoute: () => members, path: '$', component: lazyRouteComponent(() => import('./not-found.tsx'), 'NotFound') }),
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: BASE_PATH || '/',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} page />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
