import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../app/parents.tsx'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export const authRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: ({ to }: Record<string, unknown>) => ({ to: text(to) }),
    component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignInPage'),
  }),
] as const
