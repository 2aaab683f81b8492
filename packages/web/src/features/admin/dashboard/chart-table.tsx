import { useTranslation } from 'react-i18next'
import { locale } from '../../../lib/i18n.ts'
import style from './dashboard.module.css'

export interface Point {
  readonly date: string
  readonly value: number
  /** The corresponding day of the previous period. */
  readonly before: number | null
}

/** The data of a chart as a table. */
export const ChartTable = ({
  label,
  points,
  compared,
}: {
  readonly label: string
  readonly points: readonly Point[]
  readonly compared: boolean
}) => {
  const { t } = useTranslation('admin')
  const day = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' })
  return (
    <details className={style.values}>
      <summary>{t('dashboard.table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section className={style.scroll} tabIndex={0} aria-label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('dashboard.day')}</th>
              <th scope="col">{label}</th>
              {compared && <th scope="col">{t('dashboard.previous')}</th>}
            </tr>
          </thead>
          <tbody>
            {points.map(({ date, value, before }) => (
              <tr key={date}>
                <th scope="row">{day.format(Date.parse(`${date}T00:00:00Z`))}</th>
                <td>{value}</td>
                {compared && <td>{before ?? '–'}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
