import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { members } from '../../app/root-routes.tsx'
import { communityQuery } from '../../lib/community.ts'
import { queryClient } from '../../lib/query.ts'
import { sessionQuery } from '../../lib/session.ts'

const admin = createRoute({
  getParentRoute: () => members,
  path: '/admin',
  /** Users without any admin permission are redirected home; others to the first page they may open. */
  beforeLoad: async ({ location }) => {
    const [{ user }, { features }, { areaOfPath, allowedAreas }] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      queryClient.ensureQueryData(communityQuery),
      import('./admin-nav.ts'),
    ])
    const areas = user ? allowedAreas(user, features) : []
    if (!areas[0]) throw redirect({ to: '/' })
    if (!areaOfPath(areas, location.pathname)) throw redirect({ to: areas[0].to as '/' })
  },
  component: lazyRouteComponent(() => import('./admin-layout.tsx'), 'AdminLayout'),
})
const getParentRoute = () => admin

export const adminRoutes = [
  admin.addChildren([
    createRoute({ getParentRoute, path: '/', component: lazyRouteComponent(() => import('./dashboard/page.tsx'), 'DashboardPage') }),
    createRoute({ getParentRoute, path: '/queue', component: lazyRouteComponent(() => import('./moderation/queue.tsx'), 'QueuePage') }),
    createRoute({
      getParentRoute,
      path: '/reports',
      component: lazyRouteComponent(() => import('./moderation/reports.tsx'), 'ReportsPage'),
    }),
    createRoute({ getParentRoute, path: '/rules', component: lazyRouteComponent(() => import('./moderation/rules.tsx'), 'RulesPage') }),
    createRoute({ getParentRoute, path: '/audit', component: lazyRouteComponent(() => import('./moderation/audit.tsx'), 'AuditPage') }),
    createRoute({
      getParentRoute,
      path: '/sign-in-failures',
      component: lazyRouteComponent(() => import('./moderation/sign-in-failures.tsx'), 'SignInFailuresPage'),
    }),
    createRoute({ getParentRoute, path: '/members', component: lazyRouteComponent(() => import('./members/members.tsx'), 'MembersPage') }),
    createRoute({
      getParentRoute,
      path: '/registrations',
      component: lazyRouteComponent(() => import('./members/registrations.tsx'), 'RegistrationsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/managers',
      component: lazyRouteComponent(() => import('./members/managers.tsx'), 'ManagersPage'),
    }),
    createRoute({ getParentRoute, path: '/general', component: lazyRouteComponent(() => import('./settings/general.tsx'), 'GeneralPage') }),
    createRoute({
      getParentRoute,
      path: '/appearance',
      component: lazyRouteComponent(() => import('./settings/appearance.tsx'), 'AppearancePage'),
    }),
    createRoute({ getParentRoute, path: '/welcome', component: lazyRouteComponent(() => import('./settings/welcome.tsx'), 'WelcomePage') }),
    createRoute({ getParentRoute, path: '/menus', component: lazyRouteComponent(() => import('./settings/menus.tsx'), 'MenusPage') }),
    createRoute({ getParentRoute, path: '/mail', component: lazyRouteComponent(() => import('./settings/mail.tsx'), 'MailPage') }),
    createRoute({
      getParentRoute,
      path: '/mail-texts',
      component: lazyRouteComponent(() => import('./settings/mail-texts.tsx'), 'MailTextsPage'),
    }),
    createRoute({ getParentRoute, path: '/privacy', component: lazyRouteComponent(() => import('./settings/privacy.tsx'), 'PrivacyPage') }),
    createRoute({ getParentRoute, path: '/limits', component: lazyRouteComponent(() => import('./settings/limits.tsx'), 'LimitsPage') }),
    createRoute({ getParentRoute, path: '/storage', component: lazyRouteComponent(() => import('./settings/storage.tsx'), 'StoragePage') }),
    createRoute({
      getParentRoute,
      path: '/features',
      component: lazyRouteComponent(() => import('./settings/features.tsx'), 'FeaturesPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/space-groups',
      component: lazyRouteComponent(() => import('./settings/groups.tsx'), 'GroupsPage'),
    }),
    createRoute({ getParentRoute, path: '/topics', component: lazyRouteComponent(() => import('./settings/topics.tsx'), 'TopicsPage') }),
    createRoute({ getParentRoute, path: '/levels', component: lazyRouteComponent(() => import('./settings/levels.tsx'), 'LevelsPage') }),
    createRoute({
      getParentRoute,
      path: '/import',
      component: lazyRouteComponent(() => import('./imports/imports-page.tsx'), 'ImportsPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/import/$source',
      component: lazyRouteComponent(() => import('./imports/import-page.tsx'), 'ImportPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/webhooks',
      component: lazyRouteComponent(() => import('./settings/webhooks.tsx'), 'WebhooksPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/webhooks/$id',
      component: lazyRouteComponent(() => import('./settings/webhook.tsx'), 'WebhookPage'),
    }),
  ]),
] as const
