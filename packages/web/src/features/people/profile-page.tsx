import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { BadgeCheck, Lock, Pencil } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../lib/community.ts'
import { locale } from '../../lib/i18n.ts'
import { pictureUrl } from '../../lib/pictures.ts'
import { useMe } from '../../lib/session.ts'
import { dateOf, relativeTime } from '../../lib/time.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { HtmlContent } from '../../ui/html-content.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { FollowButton } from './follow-button.tsx'
import style from './profile.module.css'
import { ProfileLinks } from './profile-links.tsx'
import { profileQuery } from './queries.ts'

const route = getRouteApi('/members/people/$username')

/** A member's profile and the selected tab. */
export const ProfilePage = () => {
  const { t } = useTranslation('people')
  const me = useMe()
  const { username } = route.useParams()
  const { data: profile } = useSuspenseQuery(profileQuery(username))
  const { data: community } = useQuery(communityQuery)
  const features = community?.features
  const own = profile.user_id === me.user_id
  const at = `/people/${username}`
  const number = (value: number) => new Intl.NumberFormat(locale()).format(value)
  return (
    <div className={style.page}>
      <header className={style.head}>
        {profile.cover_photo ? (
          <img className={style.cover} src={pictureUrl(profile.cover_photo)} alt="" />
        ) : (
          <div className={style.cover} data-none="" aria-hidden="true" />
        )}
        <div className={style.top}>
          <span className={style.picture}>
            <Avatar name={profile.display_name} src={profile.avatar} size="large" />
          </span>
          <div className={style.acts}>
            {own ? (
              <Link to="/account" className={style.edit}>
                <Pencil aria-hidden="true" /> {t('edit')}
              </Link>
            ) : (
              features?.followers && <FollowButton profile={profile} />
            )}
          </div>
        </div>
        <div>
          <PageTitle>{profile.display_name}</PageTitle>
          <h1 className={style.name}>
            <bdi>{profile.display_name}</bdi>
            {profile.is_verified === 1 && <BadgeCheck role="img" aria-label={t('verified')} />}
            {profile.is_private && <Lock role="img" aria-label={t('private')} />}
          </h1>
          <p className={style.soft}>
            <bdi>@{profile.username}</bdi>
            {profile.role !== 'member' && <span className={style.mark}>{t(`role.${profile.role}`)}</span>}
            {profile.status !== 'active' && <span className={style.warn}>{t(`status.${profile.status}`)}</span>}
          </p>
        </div>
        {profile.short_description && <HtmlContent html={profile.short_description_rendered} />}
        <ProfileLinks profile={profile} />
        {profile.badges.length > 0 && (
          <ul className={style.badges} aria-label={t('badges')}>
            {profile.badges.map((badge) => (
              <li key={badge}>{badge}</li>
            ))}
          </ul>
        )}
        <ul className={style.facts}>
          {features?.followers && (
            <>
              <li>
                <Link to="/people/$username/$side" params={{ username, side: 'followers' }}>
                  <strong>{number(profile.followers_count)}</strong> {t('followers', { count: profile.followers_count })}
                </Link>
              </li>
              <li>
                <Link to="/people/$username/$side" params={{ username, side: 'following' }}>
                  <strong>{number(profile.followings_count)}</strong> {t('following', { count: profile.followings_count })}
                </Link>
              </li>
            </>
          )}
          {features?.leaderboard && (
            <li>
              <strong>{number(profile.total_points)}</strong> {t('points', { count: profile.total_points })}
            </li>
          )}
          <li>{t('since', { date: dateOf(profile.created_at) })}</li>
          {profile.last_seen && !own && <li>{t('seen', { when: relativeTime(profile.last_seen) })}</li>}
        </ul>
        <PageTabs
          label={profile.display_name}
          tabs={[
            { to: at, label: t('tab.posts'), exact: true, count: profile.stats.posts_count },
            { to: `${at}/comments`, label: t('tab.comments'), count: profile.stats.comments_count },
            ...(profile.canViewUserSpaces ? [{ to: `${at}/spaces`, label: t('tab.spaces') }] : []),
            ...(features?.followers
              ? [
                  { to: `${at}/followers`, label: t('tab.followers') },
                  { to: `${at}/following`, label: t('tab.following') },
                ]
              : []),
            { to: `${at}/activity`, label: t('tab.activity') },
          ]}
        />
      </header>
      <Outlet />
    </div>
  )
}
