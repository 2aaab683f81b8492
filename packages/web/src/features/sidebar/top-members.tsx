import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { locale } from '../../lib/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { SidebarPanel } from './panel.tsx'
import { topMembersQuery } from './queries.ts'
import style from './sidebar.module.css'

/** The top of this month's leaderboard. */
export const TopMembers = () => {
  const { t } = useTranslation('sidebar')
  const { data = [] } = useQuery(topMembersQuery)
  if (data.length === 0) return null
  return (
    <SidebarPanel id="sidebar-foremost" title={t('topMembers')} all={<Link to="/leaderboard">{t('more')}</Link>}>
      {data.map(({ user_id, total_points, xprofile: person }) => (
        <li key={user_id} className={style.person}>
          <Avatar name={person.display_name} src={person.avatar} size="small" />
          <Link to="/people/$username" params={{ username: person.username }} className={style.name}>
            <bdi>{person.display_name}</bdi>
          </Link>
          <small>{t('points', { count: total_points, value: new Intl.NumberFormat(locale()).format(total_points) })}</small>
        </li>
      ))}
    </SidebarPanel>
  )
}
