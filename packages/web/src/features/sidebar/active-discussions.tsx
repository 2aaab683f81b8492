import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { htmlToText } from '../../lib/html-to-text.ts'
import { pathOf } from '../../lib/urls.ts'
import { SidebarPanel } from './panel.tsx'
import { activeDiscussionsQuery } from './queries.ts'
import style from './sidebar.module.css'

/** Posts with recent comments. */
export const ActiveDiscussions = () => {
  const { t } = useTranslation('sidebar')
  const { data = [] } = useQuery(activeDiscussionsQuery)
  if (data.length === 0) return null
  return (
    <SidebarPanel
      id="sidebar-lively"
      title={t('activeDiscussions')}
      all={
        <Link to="/" search={{ order: 'active' }}>
          {t('more')}
        </Link>
      }
    >
      {data.map((feed) => (
        <li key={feed.id}>
          <Link to={pathOf(feed.permalink) as never} className={style.title} dir="auto">
            {feed.title || htmlToText(feed.message_rendered) || t('post')}
          </Link>
          <small>
            {t('comments', { count: feed.comments_count })}
            {feed.space && ` · ${feed.space.title}`}
          </small>
        </li>
      ))}
    </SidebarPanel>
  )
}
