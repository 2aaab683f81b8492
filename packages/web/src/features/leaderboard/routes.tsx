import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'
import { queryClient } from '../../lib/query.ts'
import type { Period } from '../people/queries.ts'

/** Starts the page's queries while its code loads. */
const queries = () => import('../people/queries.ts')

const PERIODS: readonly Period[] = ['all_time', 'this_month', 'this_week', 'today']
const periodOf = (value: unknown): Period | undefined => PERIODS.find((period) => period === value)

export const leaderboardRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/leaderboard',
    validateSearch: ({ period }: Record<string, unknown>): { period?: Period | undefined } => ({ period: periodOf(period) }),
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) =>
      void queries().then(({ leaderboardQuery }) => queryClient.prefetchQuery(leaderboardQuery(deps.period ?? 'this_month'))),
    component: lazyRouteComponent(() => import('./leaderboard-page.tsx'), 'LeaderboardPage'),
  }),
] as const
