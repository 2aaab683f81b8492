import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { whole } from '../../../lib/time.ts'
import { Card } from '../../../ui/card.tsx'
import { TextField } from '../../../ui/field.tsx'
import { More } from '../../../ui/more.tsx'
import { Empty, Failure, Skeleton } from '../../../ui/states.tsx'
import { AreaHead } from '../parts.tsx'
import style from './moderation.module.css'
import { type AuditFilter, auditQuery } from './queries.ts'

const FIELDS = ['action', 'object_type', 'date_from', 'date_to'] as const

const inWords = (details: Readonly<Record<string, unknown>>) =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')

/** What those who run the community decided. */
export const AuditPage = () => {
  const { t } = useTranslation('admin')
  const [filter, setFilter] = useState<AuditFilter>({})
  const list = useInfiniteQuery(auditQuery(filter))
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  const change = (field: (typeof FIELDS)[number], value: string) => {
    const { [field]: _before, ...others } = filter
    setFilter(value.trim() ? { ...others, [field]: value.trim() } : others)
  }
  return (
    <>
      <AreaHead title={t('area.audit')} about={t('audit.about')} />
      <div className={style.filters}>
        {FIELDS.map((field) => (
          <TextField
            key={field}
            label={t(`audit.${field}`)}
            type={field.startsWith('date') ? 'date' : 'text'}
            onBlur={(event) => change(field, event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && change(field, event.currentTarget.value)}
          />
        ))}
      </div>
      {list.isPending && <Skeleton lines={8} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={list.refetch} />}
      {list.data && entries.length === 0 && <Empty title={t('audit.empty')} icon={<ScrollText aria-hidden="true" />} />}
      {entries.length > 0 && (
        <Card>
          <ul className={style.entries}>
            {entries.map(({ id, action, actor, object_type, object_id, details, created_at }) => (
              <li key={id} className={style.entry}>
                <p>
                  <strong>{actor?.display_name ?? t('audit.server')}</strong> <code>{action}</code>{' '}
                  {object_type && `${object_type}${object_id ? ` ${object_id}` : ''}`}
                </p>
                {Object.keys(details).length > 0 && <p className={style.soft}>{inWords(details)}</p>}
                <p className={style.soft}>{whole(created_at)}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <More list={list} />
    </>
  )
}
