import { useQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, Outlet, redirect, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { communityQuery } from '../lib/community.ts'
import { isOwn } from '../lib/default-colours.ts'
import { queryClient } from '../lib/query.ts'
import { sessionQuery } from '../lib/session.ts'
import { Failure } from '../ui/feedback.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Shell } from './shell.tsx'
import { Unreachable } from './unreachable.tsx'

let dressed = false

/**
 * Pages that take passwords and keys get no style sheet of the community's own, whose selectors could read along: those for people who are not
 * signed in, the account, and the administration, where a sheet that broke the app can be mended.
 */
const PLAIN = /^\/members\/(?:account|admin)(?:\/|$)/
/** By routes rather than the address, which may be spelled otherwise. */
const isStyled = (matches: readonly { readonly routeId: string }[]): boolean =>
  matches.some(({ routeId }) => routeId === '/members') && !matches.some(({ routeId }) => PLAIN.test(routeId))

const useLooks = () => {
  const { data } = useQuery(communityQuery)
  const styled = useRouterState({ select: ({ matches }) => isStyled(matches) })
  useEffect(() => {
    if (!data) return
    const css = styled ? data.appearance.custom_css : ''
    if (isOwn(data, 'primary_color') && isOwn(data, 'secondary_color') && !data.favicon_url && !css && !dressed) return
    dressed = true
    void import('../lib/branding.ts').then(({ wear }) => wear(data, css))
  }, [data, styled])
}

const Everything = () => {
  useLooks()
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}

/** Above everything. Pages for people who are not signed in hang here. */
export const root = createRootRoute({
  component: Everything,
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} page />,
})

/** Everything that needs somebody to be signed in hangs here, within the frame of the app. */
export const members = createRoute({
  getParentRoute: () => root,
  id: 'members',
  component: Shell,
  errorComponent: Unreachable,
  beforeLoad: async ({ location }): Promise<void> => {
    const { user } = await queryClient.ensureQueryData(sessionQuery)
    if (!user) throw redirect({ to: '/sign-in', search: { to: location.href } })
  },
})
