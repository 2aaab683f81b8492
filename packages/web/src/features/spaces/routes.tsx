import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'
import { queryClient } from '../../lib/query.ts'

/** Starts the page's queries while its code loads. */
const queries = () => import('./queries.ts')

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

const space = createRoute({
  getParentRoute: () => members,
  path: '/spaces/$slug',
  loader: async ({ params }) => {
    const { spaceQuery } = await queries()
    return queryClient.ensureQueryData(spaceQuery(params.slug))
  },
  component: lazyRouteComponent(() => import('./space-page.tsx'), 'SpacePage'),
})

export const spaceRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/spaces',
    validateSearch: ({ q, mine }: Record<string, unknown>): { q?: string | undefined; mine?: boolean | undefined } => ({
      q: text(q),
      mine: mine === true || undefined,
    }),
    loader: () =>
      void queries().then(({ spaceGroupsQuery, spaceListQuery }) => {
        void queryClient.prefetchQuery(spaceGroupsQuery)
        void queryClient.prefetchInfiniteQuery(spaceListQuery({}))
      }),
    component: lazyRouteComponent(() => import('./directory.tsx'), 'SpacesPage'),
  }),
  createRoute({
    getParentRoute: () => members,
    path: '/spaces/new',
    component: lazyRouteComponent(() => import('./new-space.tsx'), 'NewSpacePage'),
  }),
  space.addChildren([
    createRoute({
      getParentRoute: () => space,
      path: '/',
      validateSearch: ({ topic }: Record<string, unknown>): { topic?: string | undefined } => ({ topic: text(topic) }),
      component: lazyRouteComponent(() => import('./space-posts.tsx'), 'SpacePosts'),
    }),
    createRoute({
      getParentRoute: () => space,
      path: '/members',
      loader: ({ params }) =>
        void queries().then(async ({ spaceMembersQuery, spaceQuery }) => {
          const { permissions } = await queryClient.ensureQueryData(spaceQuery(params.slug))
          if (permissions.can_view_members) await queryClient.prefetchInfiniteQuery(spaceMembersQuery(params.slug, {}))
        }),
      component: lazyRouteComponent(() => import('./space-members.tsx'), 'SpaceMembersPage'),
    }),
    createRoute({
      getParentRoute: () => space,
      path: '/about',
      component: lazyRouteComponent(() => import('./space-about.tsx'), 'SpaceAbout'),
    }),
    createRoute({
      getParentRoute: () => space,
      path: '/settings',
      component: lazyRouteComponent(() => import('./space-settings.tsx'), 'SpaceSettingsPage'),
    }),
  ]),
] as const
