import { useIsFetching, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../lib/community.ts'
import { keys } from '../../lib/query-keys.ts'
import { ActiveDiscussions } from './active-discussions.tsx'
import { ContinueLearning } from './continue-learning.tsx'
import style from './sidebar.module.css'
import { TopMembers } from './top-members.tsx'

/** The right sidebar on wide screens. */
export const Sidebar = () => {
  const { t } = useTranslation('sidebar')
  const { data } = useQuery(communityQuery)
  const busy = useIsFetching({ queryKey: keys.sidebar.all }) > 0
  return (
    <aside className={style.sidebar} aria-label={t('label')} aria-busy={busy}>
      <ContinueLearning />
      <ActiveDiscussions />
      {data?.features.leaderboard && <TopMembers />}
    </aside>
  )
}
