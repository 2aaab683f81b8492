import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'

export const searchRoutes = [
  createRoute({
    getParentRoute: () => members,
    path: '/search',
    validateSearch: ({ q }: Readonly<Record<string, unknown>>): { readonly q: string } => ({
      q: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
    }),
    component: lazyRouteComponent(() => import('./search-page.tsx'), 'SearchPage'),
  }),
] as const
