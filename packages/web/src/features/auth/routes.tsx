import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { root } from '../../app/root-routes.tsx'
import { queryClient } from '../../lib/query.ts'
import { sessionQuery } from '../../lib/session.ts'
import { safeRedirect } from './safe-redirect.ts'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
/** Tokens are kept as strings, even if they look like numbers. */
const token = ({ token: value }: Record<string, unknown>): { token?: string | undefined } => ({
  token: text(typeof value === 'number' ? String(value) : value),
})

export const authRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: ({ to }: Record<string, unknown>): { to?: string | undefined } => ({ to: text(to) }),
    beforeLoad: async ({ search }): Promise<void> => {
      const { user } = await queryClient.ensureQueryData(sessionQuery)
      if (user) throw redirect({ to: safeRedirect(search.to) })
    },
    component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('./sign-up.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./forgot-password.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    validateSearch: token,
    component: lazyRouteComponent(() => import('./reset-password.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    validateSearch: token,
    component: lazyRouteComponent(() => import('./verify-email.tsx'), 'VerifyEmailPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/confirm-email',
    validateSearch: token,
    component: lazyRouteComponent(() => import('./email-link.tsx'), 'ConfirmEmailPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/undo-email-change',
    validateSearch: token,
    component: lazyRouteComponent(() => import('./email-link.tsx'), 'UndoEmailChangePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/setup',
    validateSearch: token,
    component: lazyRouteComponent(() => import('./setup.tsx'), 'SetupPage'),
  }),
] as const
