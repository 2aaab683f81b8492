import { useQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, Outlet, redirect, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { communityQuery } from '../lib/community.ts'
import { isDefaultColor } from '../lib/default-colors.ts'
import { queryClient } from '../lib/query.ts'
import { sessionQuery } from '../lib/session.ts'
import { Failure } from '../ui/feedback.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Shell } from './shell.tsx'
import { Unreachable } from './unreachable.tsx'

let isBranded = false

/**
 * Pages with passwords or keys do not load the community's custom CSS, because CSS selectors can exfiltrate input: pages for guests, the
 * account, and the administration, where a broken style sheet can be fixed.
 */
const PLAIN = /^\/members\/(?:account|admin)(?:\/|$)/
/** Matched by route, because a URL can be spelled in several ways. */
const isStyled = (matches: readonly { readonly routeId: string }[]): boolean =>
  matches.some(({ routeId }) => routeId === '/members') && !matches.some(({ routeId }) => PLAIN.test(routeId))

const useBranding = () => {
  const { data } = useQuery(communityQuery)
  const styled = useRouterState({ select: ({ matches }) => isStyled(matches) })
  useEffect(() => {
    if (!data) return
    const css = styled ? data.appearance.custom_css : ''
    if (isDefaultColor(data, 'primary_color') && isDefaultColor(data, 'secondary_color') && !data.favicon_url && !css && !isBranded) return
    isBranded = true
    void import('../lib/branding.ts').then(({ applyBranding }) => applyBranding(data, css))
  }, [data, styled])
}

const RootLayout = () => {
  useBranding()
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}

/** Root route. Pages for guests are its direct children. */
export const root = createRootRoute({
  component: RootLayout,
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} page />,
})

/** Parent of all routes that require a signed-in user; renders the app shell. */
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
