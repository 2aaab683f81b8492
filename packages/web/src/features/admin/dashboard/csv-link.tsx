import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { apiRoot } from '../../../lib/client.ts'
import style from './dashboard.module.css'
import { daysOf, intervalOf, type Range } from './ranges.ts'

const PATHS = {
  overviewWidget: 'overview/widget',
  overviewActivity: 'overview/activity',
  popularDayTime: 'overview/popular-day-time',
  topMembers: 'members/top-members',
  topPostStarters: 'members/top-post-starters',
  topCommenters: 'members/top-commenters',
  popularSpaces: 'spaces/popular',
} as const

/** Query parameters besides the dates. */
const MORE: Partial<Record<keyof typeof PATHS, (range: Range) => Record<string, string>>> = {
  overviewActivity: (range) => ({ interval: intervalOf(range) }),
  overviewWidget: () => ({ compare: 'true' }),
}

/** Downloads the data of a chart as CSV. */
export const CsvLink = ({ of, range, about }: { readonly of: keyof typeof PATHS; readonly range: Range; readonly about: string }) => {
  const { t } = useTranslation('admin')
  const query = new URLSearchParams({ ...daysOf(range), format: 'csv', ...MORE[of]?.(range) })
  return (
    <a
      className={style.csv}
      href={`${apiRoot}/analytics/${PATHS[of]}?${query}`}
      download={`${of}-${daysOf(range).date_to}.csv`}
      aria-label={t('dashboard.csvOf', { chart: about })}
      title={t('dashboard.csvOf', { chart: about })}
    >
      <Download aria-hidden="true" />
      CSV
    </a>
  )
}
