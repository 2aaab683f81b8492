import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure, Skeleton } from '../../../ui/feedback.tsx'
import { Check } from '../../../ui/field.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { FormSection, PageHeader } from '../form-kit.tsx'
import { ActivityHeatmap } from './activity-heatmap.tsx'
import { BackupLine } from './backup-line.tsx'
import { ChartTable } from './chart-table.tsx'
import { CsvLink } from './csv-link.tsx'
import style from './dashboard.module.css'
import { KpiCards } from './kpi-cards.tsx'
import { activityQuery, overviewQuery } from './queries.ts'
import { RANGES, type Range } from './ranges.ts'
import { TopLists } from './top-lists.tsx'

const Chart = lazy(() => import('./chart.tsx').then(({ Chart: chart }) => ({ default: chart })))

const METRICS = ['posts', 'comments', 'reactions', 'new_members', 'active_users'] as const
type Metric = (typeof METRICS)[number]

export const DashboardPage = () => {
  const { t } = useTranslation('admin')
  const [range, setRange] = useState<Range>('30')
  const [metric, setMetric] = useState<Metric>('posts')
  const [compared, setCompared] = useState(true)
  const overview = useQuery(overviewQuery(range))
  const activity = useQuery(activityQuery(range, compared))
  const points = activity.data?.now.map((bucket, index) => ({
    date: bucket.date,
    value: bucket[metric],
    before: activity.data?.before ? (activity.data.before[index]?.[metric] ?? null) : null,
  }))
  return (
    <>
      <PageHeader title={t('area.dashboard')} about={t('dashboard.about')}>
        <CsvLink of="overviewWidget" range={range} about={t('areas.overview')} />
      </PageHeader>
      <SegmentedControl
        label={t('dashboard.range')}
        value={range}
        options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
        onChange={setRange}
      />
      <BackupLine />
      {overview.error ? <Failure error={overview.error} onRetry={overview.refetch} /> : <KpiCards figures={overview.data} />}
      <FormSection title={t('dashboard.activity')} acts={<CsvLink of="overviewActivity" range={range} about={t('dashboard.activity')} />}>
        <div className={style.choose}>
          <SegmentedControl
            label={t('dashboard.metric')}
            value={metric}
            options={METRICS.map((value) => ({ value, label: t(`metric.${value}`) }))}
            onChange={setMetric}
          />
          <Check label={t('dashboard.compare')} checked={compared} onChange={(event) => setCompared(event.currentTarget.checked)} />
        </div>
        <QueryState
          query={activity}
          placeholder={
            <div className={style.space}>
              <Skeleton lines={6} />
            </div>
          }
        />
        {points && (
          <>
            <Suspense fallback={<div className={style.space} data-waiting="" />}>
              <Chart label={t(`metric.${metric}`)} before={t('dashboard.previous')} points={points} compared={compared} />
            </Suspense>
            <ChartTable label={t(`metric.${metric}`)} points={points} compared={compared} />
          </>
        )}
      </FormSection>
      <ActivityHeatmap range={range} />
      <TopLists range={range} />
    </>
  )
}
