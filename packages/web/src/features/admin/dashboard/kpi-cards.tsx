import type { Answers } from '@lyceum/sdk'
import { useTranslation } from 'react-i18next'
import { locale } from '../../../lib/i18n.ts'
import { Card } from '../../../ui/card.tsx'
import style from './dashboard.module.css'

type Overview = Answers['analytics']['overviewWidget']

const KINDS = ['members', 'posts', 'comments', 'reactions'] as const

const Change = ({ value }: { readonly value: number | null | undefined }) => {
  const { t } = useTranslation('admin')
  if (!value && value !== null) return null
  if (value === null) return <span className={style.change}>{t('dashboard.noPrevious')}</span>
  const format = new Intl.NumberFormat(locale(), { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 })
  const change = format.format(value / 100)
  return (
    <span
      className={style.change}
      data-up={value > 0 || undefined}
      data-down={value < 0 || undefined}
      title={t('dashboard.change', { change })}
    >
      <span aria-hidden="true">{change}</span>
      <span className="visually-hidden">{t('dashboard.change', { change })}</span>
    </span>
  )
}

interface FigureProps {
  readonly title: string
  readonly value: string
  readonly change?: number | null | undefined
  readonly about: string
}

const Figure = ({ title, value, change, about }: FigureProps) => (
  <li>
    <Card className={style.figure}>
      <h2>{title}</h2>
      <p className={style.value}>
        <strong>{value}</strong> <Change value={change} />
      </p>
      <span className={style.soft}>{about}</span>
    </Card>
  </li>
)

/** Placeholder of a loading text. */
const BLANK = '\u00A0'

/** New items in the period compared to the previous one, and totals. Undefined while loading. */
export const KpiCards = ({ figures }: { readonly figures: Overview | undefined }) => {
  const { t } = useTranslation('admin')
  const number = new Intl.NumberFormat(locale())
  const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 })
  const totalOf = (total: number) => t('dashboard.total', { count: total, total: number.format(total) })
  return (
    <ul className={style.figures} data-waiting={figures ? undefined : ''} aria-hidden={!figures}>
      {KINDS.map((kind) => (
        <Figure
          key={kind}
          title={t(`kpi.${kind}`)}
          value={figures ? number.format(figures[`new_${kind}`]) : BLANK}
          change={figures?.comparison?.[`${kind}_change`]}
          about={figures ? totalOf(figures[`total_${kind}`]) : BLANK}
        />
      ))}
      <Figure
        title={t('kpi.engagement')}
        value={figures ? percent.format(figures.engagement_rate / 100) : BLANK}
        about={t('dashboard.engaged')}
      />
      <Figure title={t('kpi.spaces')} value={figures ? number.format(figures.active_spaces) : BLANK} about={t('dashboard.activeSpaces')} />
    </ul>
  )
}
