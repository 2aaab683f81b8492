import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { queryClient } from '../lib/query.ts'
import { sessionQuery } from '../lib/session.ts'
import { Failure } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Shell } from './shell.tsx'

/** Above everything. Pages for people who are not signed in hang here. */
export const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} page />,
})

/** Everything that needs somebody to be signed in hangs here, within the frame of the app. */
export const members = createRoute({
  getParentRoute: () => root,
  id: 'members',
  component: Shell,
  beforeLoad: async ({ location }): Promise<void> => {
    const { user } = await queryClient.ensureQueryData(sessionQuery)
    if (!user) throw redirect({ to: '/sign-in', search: { to: location.href } })
  },
})
