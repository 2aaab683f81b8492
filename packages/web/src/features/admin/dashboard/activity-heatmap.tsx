import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { locale } from '../../../lib/i18n.ts'
import { QueryState } from '../../../ui/query-state.tsx'
import { FormSection } from '../form-kit.tsx'
import { CsvLink } from './csv-link.tsx'
import style from './dashboard.module.css'
import { popularQuery } from './queries.ts'
import type { Range } from './ranges.ts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const SHADES = 5
/** 1 January 2024 was a Monday. */
const weekday = (index: number, width: 'long' | 'short') =>
  new Intl.DateTimeFormat(locale(), { weekday: width, timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + index))
const hour = (text: string) =>
  new Intl.DateTimeFormat(locale(), { hour: 'numeric', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1, Number(text)))

interface Cell {
  readonly short: string
  readonly long: string
  readonly value: number
}

const Strip = ({ label, cells, kind }: { readonly label: string; readonly cells: readonly Cell[]; readonly kind: 'days' | 'hours' }) => {
  const most = Math.max(1, ...cells.map(({ value }) => value))
  return (
    <figure className={style.strip}>
      <figcaption>{label}</figcaption>
      <ol data-kind={kind}>
        {cells.map(({ short, long, value }) => (
          <li key={long} data-shade={Math.ceil((value / most) * SHADES)} title={`${long}: ${value}`}>
            <span className="visually-hidden">{`${long}: ${value}`}</span>
            <span aria-hidden="true">{short}</span>
          </li>
        ))}
      </ol>
    </figure>
  )
}

/** Activity by weekday and by hour. */
export const ActivityHeatmap = ({ range }: { readonly range: Range }) => {
  const { t } = useTranslation('admin')
  const popular = useQuery(popularQuery(range))
  const data = popular.data
  const days = DAYS.map((name, index) => ({ short: weekday(index, 'short'), long: weekday(index, 'long'), value: data?.by_day[name] ?? 0 }))
  const hours = Object.entries(data?.by_hour ?? {})
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => ({ short: String(Number(name)), long: hour(name), value }))
  return (
    <FormSection
      title={t('heatmap.title')}
      hint={t('heatmap.hint')}
      acts={<CsvLink of="popularDayTime" range={range} about={t('heatmap.title')} />}
    >
      <QueryState query={popular} lines={3} />
      {data && !data.peak_day && <p className={style.soft}>{t('dashboard.empty')}</p>}
      {data?.peak_day && (
        <>
          <p>
            {t('heatmap.peak', { day: weekday(DAYS.indexOf(data.peak_day as (typeof DAYS)[number]), 'long'), hour: hour(data.peak_hour) })}
          </p>
          <Strip label={t('heatmap.days')} cells={days} kind="days" />
          <Strip label={t('heatmap.hours')} cells={hours} kind="hours" />
        </>
      )}
    </FormSection>
  )
}
