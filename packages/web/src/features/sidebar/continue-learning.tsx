import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Progress } from '../../ui/progress.tsx'
import { SidebarPanel } from './panel.tsx'
import { continueLearningQuery } from './queries.ts'
import style from './sidebar.module.css'

/** Courses in progress. */
export const ContinueLearning = () => {
  const { t } = useTranslation('sidebar')
  const { data = [] } = useQuery(continueLearningQuery)
  if (data.length === 0) return null
  return (
    <SidebarPanel id="sidebar-begun" title={t('continueLearning')} all={<Link to="/courses">{t('more')}</Link>}>
      {data.map(({ id, slug, title, progress }) => (
        <li key={id}>
          <Link to="/courses/$slug" params={{ slug }} className={style.title} dir="auto">
            {title}
          </Link>
          <Progress value={progress ?? 0} label={t('progress', { title })} text={t('percent', { value: progress ?? 0 })} />
        </li>
      ))}
    </SidebarPanel>
  )
}
