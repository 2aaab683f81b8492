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
  if (value === null) return <span className={style.change}>{t('dashboard.noneBefore')}</span>
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

/** What is new in the range, against the range before, and how much there is in all. */
export const Figures = ({ figures }: { readonly figures: Overview }) => {
  const { t } = useTranslation('admin')
  const number = new Intl.NumberFormat(locale())
  const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 })
  return (
    <ul className={style.figures}>
      {KINDS.map((kind) => (
        <li key={kind}>
          <Card className={style.figure}>
            <h2>{t(`figure.${kind}`)}</h2>
            <p className={style.value}>
              <strong>{number.format(figures[`new_${kind}`])}</strong> <Change value={figures.comparison?.[`${kind}_change`]} />
            </p>
            <span className={style.soft}>
              {t('dashboard.total', { count: figures[`total_${kind}`], total: number.format(figures[`total_${kind}`]) })}
            </span>
          </Card>
        </li>
      ))}
      <li>
        <Card className={style.figure}>
          <h2>{t('figure.engagement')}</h2>
          <p className={style.value}>
            <strong>{percent.format(figures.engagement_rate / 100)}</strong>
          </p>
          <span className={style.soft}>{t('dashboard.engaged')}</span>
        </Card>
      </li>
      <li>
        <Card className={style.figure}>
          <h2>{t('figure.spaces')}</h2>
          <p className={style.value}>
            <strong>{number.format(figures.active_spaces)}</strong>
          </p>
          <span className={style.soft}>{t('dashboard.activeSpaces')}</span>
        </Card>
      </li>
    </ul>
  )
}
