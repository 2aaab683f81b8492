import type { Answers } from '@lyceum/sdk'
import { useTranslation } from 'react-i18next'
import { locale } from '../../lib/i18n.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import style from './leaderboard.module.css'

type Own = NonNullable<Answers['leaderboard']['list']['current_user']>

/** Placeholder of the user's rank. */
export const MyRankSkeleton = () => (
  <Card className={style.own}>
    <Skeleton lines={4} />
  </Card>
)

/** The user's rank and progress to the next level. */
export const MyRank = ({ entry }: { readonly entry: Own }) => {
  const { t } = useTranslation('people')
  const number = (value: number) => new Intl.NumberFormat(locale()).format(value)
  const { level } = entry
  // Levels depend on all points ever earned, whatever the period.
  const total = entry.xprofile.total_points
  const next = level && level.max_points < 1_000_000_000 ? level.max_points + 1 : null
  return (
    <Card className={style.own}>
      <h2>{entry.rank === null ? t('leaderboard.unranked') : t('leaderboard.yourRank', { rank: number(entry.rank) })}</h2>
      <p>
        <strong>{number(entry.total_points)}</strong> {t('points', { count: entry.total_points })}
        {level && (
          <>
            {' · '}
            <span aria-hidden="true">{level.badge_icon}</span> {level.title}
          </>
        )}
      </p>
      {level && next !== null && (
        <>
          <progress
            className={style.progress}
            value={total - level.min_points}
            max={next - level.min_points}
            aria-label={t('leaderboard.progress')}
          />
          <p className={style.soft}>{t('leaderboard.pointsToNext', { count: Math.max(0, next - total) })}</p>
        </>
      )}
    </Card>
  )
}
