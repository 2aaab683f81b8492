import { useIsFetching, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../lib/community.ts'
import { keys } from '../../lib/query-keys.ts'
import { Lively } from './active-discussions.tsx'
import { Begun } from './continue-learning.tsx'
import style from './sidebar.module.css'
import { Foremost } from './top-members.tsx'

/** The right sidebar on wide screens. */
export const Beside = () => {
  const { t } = useTranslation('sidebar')
  const { data } = useQuery(communityQuery)
  const busy = useIsFetching({ queryKey: keys.sidebar.all }) > 0
  return (
    <aside className={style.beside} aria-label={t('label')} aria-busy={busy}>
      <Begun />
      <Lively />
      {data?.features.leaderboard && <Foremost />}
    </aside>
  )
}
