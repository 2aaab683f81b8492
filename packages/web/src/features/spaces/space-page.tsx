import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { pictureUrl } from '../../lib/pictures.ts'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { LockScreen } from './lock-screen.tsx'
import { MembershipButton } from './membership-button.tsx'
import { Privacy } from './privacy.tsx'
import { spaceQuery } from './queries.ts'
import { SpaceAvatar } from './space-avatar.tsx'
import card from './space-card.module.css'
import style from './space-page.module.css'

const route = getRouteApi('/members/spaces/$slug')

/** The header of a space and the selected tab. */
export const SpacePage = () => {
  const { t } = useTranslation('spaces')
  const { slug } = route.useParams()
  const { data: space } = useSuspenseQuery(spaceQuery(slug))
  const { permissions } = space
  const locked = !permissions.can_view_posts
  const at = `/spaces/${slug}`
  return (
    <div className={style.page}>
      <header className={style.head} data-cover={space.cover_photo ? '' : undefined}>
        {space.cover_photo && <img className={style.cover} src={pictureUrl(space.cover_photo)} alt="" />}
        <div className={style.title}>
          <SpaceAvatar space={space} emoji={space.settings.emoji} size="large" />
          <div className={style.words}>
            <PageTitle>{space.title}</PageTitle>
            <h1>
              <bdi>{space.title}</bdi>
            </h1>
            <p className={card.facts}>
              <Privacy privacy={space.privacy} />
              {space.members_count > 0 && (
                <span className={card.fact}>
                  <Users aria-hidden="true" /> {t('members', { count: space.members_count })}
                </span>
              )}
              {space.status !== 'published' && <span className={style.state}>{t(`status.${space.status}`)}</span>}
            </p>
          </div>
          {!locked && <MembershipButton space={space} />}
        </div>
        {!locked && (
          <PageTabs
            label={space.title}
            tabs={[
              { to: at, label: t('tab.posts'), exact: true },
              ...(permissions.can_view_members ? [{ to: `${at}/members`, label: t('tab.members') }] : []),
              { to: `${at}/about`, label: t('tab.about') },
              ...(permissions.community_admin ? [{ to: `${at}/settings`, label: t('tab.settings') }] : []),
            ]}
          />
        )}
      </header>
      {locked ? <LockScreen space={space} /> : <Outlet />}
    </div>
  )
}
