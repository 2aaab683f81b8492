import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { Bell, Bookmark, GraduationCap, House, Search, Trophy, Users, UsersRound } from 'lucide-react'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountMenu } from '../features/account/account-menu.tsx'
import { Shortcuts } from '../features/feeds/shortcuts.tsx'
import { UnreadBadge } from '../features/notifications/unread-badge.tsx'
import { BASE_PATH } from '../lib/base-path.ts'
import { communityQuery } from '../lib/community.ts'
import { pictureUrl } from '../lib/pictures.ts'
import { onStreamEvent } from '../lib/realtime.ts'
import { useIsWide } from '../lib/use-breakpoint.ts'
import style from './shell.module.css'

/** Loaded lazily; phones do not show it. */
const CustomLinks = lazy(() => import('../features/community/custom-links.tsx').then((module) => ({ default: module.CustomLinks })))

/** A membership or role change in a space affects which pages are visible. */
const followSpaces = () =>
  onStreamEvent('space', ({ action, space_id }) => {
    const deletedId = action === 'deleted' ? space_id : undefined
    void import('../features/spaces/actions.ts').then(({ refetchSpaces }) => refetchSpaces(deletedId))
  })

const NAVIGATION = [
  { to: '/', key: 'shell.home', icon: House, bar: true },
  { to: '/spaces', key: 'shell.spaces', icon: UsersRound, bar: true },
  { to: '/courses', key: 'shell.courses', icon: GraduationCap, bar: true },
  { to: '/people', key: 'shell.people', icon: Users, bar: false },
  { to: '/leaderboard', key: 'shell.leaderboard', icon: Trophy, bar: false, feature: 'leaderboard' },
  { to: '/bookmarks', key: 'shell.bookmarks', icon: Bookmark, bar: false },
  { to: '/notifications', key: 'shell.notifications', icon: Bell, bar: true },
] as const

const onNetwork = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** The layout around every page of a signed-in user. */
export const Shell = () => {
  const { t } = useTranslation()
  const community = useQuery(communityQuery)
  const entries = NAVIGATION.filter((entry) => !('feature' in entry) || community.data?.features[entry.feature] !== false)
  const online = useSyncExternalStore(onNetwork, () => navigator.onLine)
  const wide = useIsWide()
  useEffect(followSpaces, [])
  return (
    <div className={style.shell}>
      <a className={style.skip} href="#content">
        {t('shell.skip')}
      </a>
      <header className={style.header}>
        <Link to="/" className={style.brand}>
          <img src={pictureUrl(community.data?.logo_url) || `${BASE_PATH}/icon.svg`} alt="" width={32} height={32} />
          <span>{community.data?.site_name ?? 'Lyceum'}</span>
        </Link>
        <Link className={style.search} to="/search" search={{ q: '' }}>
          <Search aria-hidden="true" />
          <span>{t('shell.search')}</span>
        </Link>
        <AccountMenu />
      </header>
      {!online && (
        <p className={style.offline} role="status">
          {t('shell.offline')}
        </p>
      )}
      <nav className={style.side} aria-label={t('shell.navigation')}>
        {entries.map(({ to, key, icon: Icon, bar }) => (
          <Link
            key={to}
            to={to as '/'}
            className={style.item}
            data-bar={bar || undefined}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ exact: to === '/' }}
          >
            <Icon aria-hidden="true" />
            <span>{t(key)}</span>
            {to === '/notifications' && <UnreadBadge />}
          </Link>
        ))}
        {wide && (
          <Suspense>
            <CustomLinks />
          </Suspense>
        )}
      </nav>
      <main id="content" className={style.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Shortcuts />
    </div>
  )
}
