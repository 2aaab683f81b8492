import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Trophy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { leaderboardQuery, type Period } from '../people/queries.ts'
import style from './leaderboard.module.css'
import { LeaderboardRow } from './leaderboard-row.tsx'
import { MyRank, MyRankSkeleton } from './my-rank.tsx'

const route = getRouteApi('/members/leaderboard')
export const PERIODS: readonly Period[] = ['today', 'this_week', 'this_month', 'all_time']

export const LeaderboardPage = () => {
  const { t } = useTranslation('people')
  const me = useMe()
  const { period = 'this_month' } = route.useSearch()
  const navigate = route.useNavigate()
  const board = useQuery(leaderboardQuery(period))
  const group = board.data?.leaderboard.find(({ key }) => key === period)
  return (
    <div className={style.page}>
      <PageTitle>{t('leaderboard.title')}</PageTitle>
      <h1>{t('leaderboard.title')}</h1>
      <SegmentedControl
        label={t('leaderboard.period')}
        value={period}
        options={PERIODS.map((value) => ({ value, label: t(`leaderboard.periods.${value}`) }))}
        onChange={(value) => navigate({ search: (() => ({ period: value })) as never, replace: true, resetScroll: false })}
      />
      {board.isPending && <MyRankSkeleton />}
      {board.data?.current_user && <MyRank entry={board.data.current_user} />}
      <Card>
        <h2 className="visually-hidden">{t(`leaderboard.periods.${period}`)}</h2>
        <QueryState
          query={board}
          lines={8}
          isEmpty={group?.items.length === 0}
          empty={
            <Empty title={t('leaderboard.empty')} icon={<Trophy aria-hidden="true" />}>
              <p>{t('leaderboard.emptyText')}</p>
            </Empty>
          }
        />
        <ol className={style.board}>
          {group?.items.map((entry) => (
            <LeaderboardRow key={entry.user_id} entry={entry} own={entry.user_id === me.user_id} />
          ))}
        </ol>
      </Card>
    </div>
  )
}
