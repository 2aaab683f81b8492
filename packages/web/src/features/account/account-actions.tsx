import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, LogOut, PencilLine, Settings, ShieldCheck, Trophy, UserRound, Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { leaveSignedOut } from '../../lib/account-data.ts'
import { client } from '../../lib/client.ts'
import { communityQuery } from '../../lib/community.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { useMe } from '../../lib/session.ts'
import { useIsWide } from '../../lib/use-breakpoint.ts'
import { OpenMenu } from '../../ui/menu-open.tsx'
import { toast } from '../../ui/toasts.tsx'
import { actionOf, customMenu, type Entry } from '../community/menu.tsx'

/** Admin shortcuts. */
const RUNS_THINGS = new Set<string>([
  'view_analytics',
  'view_reports',
  'resolve_reports',
  'manage_members',
  'ban_members',
  'manage_settings',
  'manage_webhooks',
])

/** The items of the account menu. */
export const AccountActions = ({ anchor, onClose }: { readonly anchor: HTMLElement; readonly onClose: () => void }) => {
  const { t } = useTranslation()
  const me = useMe()
  const community = useQuery(communityQuery)
  const navigate = useNavigate()
  const wide = useIsWide()
  const go = (to: string) => () => void navigate({ to })
  const own = customMenu(community.data?.appearance.menu)
  const actionsOf = (entries: readonly Entry[]) => entries.map((entry) => actionOf(entry, (place) => void navigate({ to: place })))
  // Links that wide screens show in the side navigation.
  const others = wide ? [] : [{ title: '', entries: [...own.main, ...own.before] }, ...own.groups]
  const signOut = async () => {
    try {
      await client.auth.logout()
      await leaveSignedOut()
    } catch (error) {
      toast(errorMessage(error), 'failed')
    }
  }
  return (
    <OpenMenu
      label={t('shell.account')}
      anchor={anchor}
      onClose={onClose}
      actions={[
        { label: t('shell.profile'), icon: <UserRound />, onAction: go(`/people/${me.username}`) },
        // The bottom bar of a phone has no room for these.
        { label: t('shell.people'), icon: <Users />, onAction: go('/people') },
        ...(community.data?.features.leaderboard === false
          ? []
          : [{ label: t('shell.leaderboard'), icon: <Trophy />, onAction: go('/leaderboard') }]),
        { label: t('shell.bookmarks'), icon: <Bookmark />, onAction: go('/bookmarks') },
        {
          label: t(community.data?.features.scheduled_posts ? 'shell.draftsAndScheduled' : 'shell.drafts'),
          icon: <PencilLine />,
          onAction: go('/drafts'),
        },
        ...actionsOf(own.profile),
        { label: t('shell.settings'), icon: <Settings />, onAction: go('/account') },
        ...(me.permissions.some((one) => RUNS_THINGS.has(one))
          ? [{ label: t('shell.administration'), icon: <ShieldCheck />, onAction: go('/admin') }]
          : []),
      ]}
      parts={[
        ...others.flatMap(({ title, entries }) => (entries.length > 0 ? [{ title, actions: actionsOf(entries) }] : [])),
        { title: '', actions: [{ label: t('shell.signOut'), icon: <LogOut />, onAction: () => void signOut() }] },
      ]}
    />
  )
}
