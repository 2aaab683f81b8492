import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { apiRoot } from '../../../lib/client.ts'
import style from './dashboard.module.css'
import { daysOf, intervalOf, type Range } from './ranges.ts'

const PATHS = {
  overviewActivity: 'overview/activity',
  popularDayTime: 'overview/popular-day-time',
  topMembers: 'members/top-members',
  topPostStarters: 'members/top-post-starters',
  topCommenters: 'members/top-commenters',
  popularSpaces: 'spaces/popular',
} as const

/** The same figures as a file for a spreadsheet. */
export const CsvLink = ({ of, range, about }: { readonly of: keyof typeof PATHS; readonly range: Range; readonly about?: string }) => {
  const { t } = useTranslation('admin')
  const query = new URLSearchParams({ ...daysOf(range), format: 'csv', ...(of === 'overviewActivity' && { interval: intervalOf(range) }) })
  return (
    <a
      className={style.csv}
      href={`${apiRoot}/analytics/${PATHS[of]}?${query}`}
      download={`${of}-${daysOf(range).date_to}.csv`}
      aria-label={about && t('dashboard.csvOf', { what: about })}
    >
      <Download aria-hidden="true" />
      {t('dashboard.csv')}
    </a>
  )
}
