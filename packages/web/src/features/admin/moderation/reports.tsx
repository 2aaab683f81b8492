import { useInfiniteQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../../ui/feedback.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { PageHeader } from '../form-kit.tsx'
import style from './moderation.module.css'
import { type ReportFilter, reportsQuery } from './queries.ts'
import { ReportItem } from './report-item.tsx'

const STATUSES = ['pending', 'reviewed', 'resolved', 'dismissed'] as const
const REASONS = ['spam', 'harassment', 'hate_speech', 'inappropriate', 'misinformation', 'violence', 'other'] as const
const OBJECTS = ['feed', 'comment', 'user'] as const

export const ReportsPage = () => {
  const { t } = useTranslation('admin')
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('pending')
  const [reason, setReason] = useState('')
  const [object, setObject] = useState('')
  const filter: ReportFilter = {
    status,
    ...(reason && { reason: reason as (typeof REASONS)[number] }),
    ...(object && { object_type: object as (typeof OBJECTS)[number] }),
  }
  const list = useInfiniteQuery(reportsQuery(filter))
  const reports = list.data?.pages.flatMap((page) => page.reports) ?? []
  return (
    <>
      <PageHeader title={t('area.reports')} about={t('reports.about')} />
      <SegmentedControl
        label={t('reports.status')}
        value={status}
        options={STATUSES.map((value) => ({ value, label: t(`reportStatus.${value}`) }))}
        onChange={setStatus}
      />
      <div className={style.filters}>
        <SelectField label={t('reports.reason')} value={reason} onChange={(event) => setReason(event.currentTarget.value)}>
          <option value="">{t('any')}</option>
          {REASONS.map((value) => (
            <option key={value} value={value}>
              {t(`reportReason.${value}`)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('reports.objectType')} value={object} onChange={(event) => setObject(event.currentTarget.value)}>
          <option value="">{t('any')}</option>
          {OBJECTS.map((value) => (
            <option key={value} value={value}>
              {t(`reportObject.${value}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <QueryState
        query={list}
        lines={6}
        isEmpty={reports.length === 0}
        empty={
          <Empty title={t('reports.empty')} icon={<Flag aria-hidden="true" />}>
            <p>{t('reports.emptyHint')}</p>
          </Empty>
        }
      />
      <ul className={style.list}>
        {reports.map((report) => (
          <ReportItem key={report.id} report={report} />
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  )
}
