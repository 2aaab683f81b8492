import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'
import { queryClient } from '../../lib/query.ts'
import { sessionQuery } from '../../lib/session.ts'

const ownProfile = async () => {
  const [{ user }, { profileQuery }] = await Promise.all([queryClient.ensureQueryData(sessionQuery), import('../people/queries.ts')])
  if (user) await queryClient.ensureQueryData(profileQuery(user.username))
}

const account = createRoute({
  getParentRoute: () => members,
  path: '/account',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
})

export const accountRoutes = [
  account.addChildren([
    createRoute({
      getParentRoute: () => account,
      path: '/',
      loader: ownProfile,
      component: lazyRouteComponent(() => import('./profile-form.tsx'), 'ProfileForm'),
    }),
    createRoute({
      getParentRoute: () => account,
      path: '/security',
      loader: ownProfile,
      component: lazyRouteComponent(() => import('./security.tsx'), 'SecurityPage'),
    }),
    createRoute({
      getParentRoute: () => account,
      path: '/notifications',
      component: lazyRouteComponent(() => import('../notifications/preferences.tsx'), 'NotificationPreferencesPage'),
    }),
    createRoute({
      getParentRoute: () => account,
      path: '/display',
      component: lazyRouteComponent(() => import('./appearance.tsx'), 'AppearancePage'),
    }),
    createRoute({
      getParentRoute: () => account,
      path: '/data',
      component: lazyRouteComponent(() => import('./data-and-privacy.tsx'), 'DataAndPrivacyPage'),
    }),
  ]),
] as const
