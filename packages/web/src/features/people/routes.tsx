import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'
import { queryClient } from '../../lib/query.ts'
import { leaderboardRoutes } from '../leaderboard/routes.tsx'
import type { MemberOrder } from './queries.ts'

/** Starts the page's queries while its code loads. */
const queries = () => import('./queries.ts')

const ORDERS: readonly MemberOrder[] = ['created_at', 'last_seen', 'display_name']
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

const tabs = () => import('./profile-tabs.tsx')

const profile = createRoute({
  getParentRoute: () => members,
  path: '/people/$username',
  loader: async ({ params }): Promise<void> => {
    const { followStatusQuery, profileQuery } = await queries()
    void queryClient.prefetchQuery(followStatusQuery(params.username))
    await queryClient.ensureQueryData(profileQuery(params.username))
  },
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/people',
    validateSearch: ({ q, order }: Record<string, unknown>): { q?: string | undefined; order?: MemberOrder | undefined } => ({
      q: text(q),
      order: ORDERS.find((known) => known === order),
    }),
    loader: () => void queries().then(({ membersQuery }) => queryClient.prefetchInfiniteQuery(membersQuery({ orderby: 'created_at' }))),
    component: lazyRouteComponent(() => import('./directory.tsx'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/people/requests',
    loader: () => void queries().then(({ requestsQuery }) => queryClient.prefetchQuery(requestsQuery)),
    component: lazyRouteComponent(() => import('./requests.tsx'), 'RequestsPage'),
  }),
  profile.addChildren([
    createRoute({ getParentRoute: () => profile, path: '/', component: lazyRouteComponent(tabs, 'ProfilePosts') }),
    createRoute({ getParentRoute: () => profile, path: '/comments', component: lazyRouteComponent(tabs, 'ProfileComments') }),
    createRoute({ getParentRoute: () => profile, path: '/spaces', component: lazyRouteComponent(tabs, 'ProfileSpaces') }),
    createRoute({ getParentRoute: () => profile, path: '/activity', component: lazyRouteComponent(tabs, 'ProfileActivity') }),
    createRoute({ getParentRoute: () => profile, path: '/$side', component: lazyRouteComponent(tabs, 'ProfileFollows') }),
  ]),
  // Profile paths that the API returns.
  createRoute({
    getParentRoute: () => members,
    path: '/u/$username',
    beforeLoad: ({ params }): void => {
      throw redirect({ to: '/people/$username', params, replace: true })
    },
  }),
  ...leaderboardRoutes,
] as const
