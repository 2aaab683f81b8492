import { AUDIT_ACTIONS } from '@lyceum/sdk/values'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/feedback.tsx'
import { Choice, SelectField, TextField } from '../../../ui/field.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { PageHeader } from '../form-kit.tsx'
import style from './audit.module.css'
import { AuditEntry } from './audit-entry.tsx'
import { byDay } from './days.ts'
import shared from './moderation.module.css'
import { type AuditFilter, auditQuery } from './queries.ts'

const KINDS = ['', 'user', 'feed', 'comment', 'report', 'space', 'space_group', 'topic', 'webhook', 'settings', 'leaderboard'] as const
const nounOf = (action: string) => action.split('.')[0] ?? ''
const NOUNS = [...new Set(AUDIT_ACTIONS.map(nounOf))]

export const AuditPage = () => {
  const { t } = useTranslation(['audit', 'admin'])
  const [filter, setFilter] = useState<AuditFilter>({})
  const list = useInfiniteQuery(auditQuery(filter))
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  const change = (field: keyof AuditFilter, value: string) => {
    const { [field]: _before, ...others } = filter
    setFilter(value ? { ...others, [field]: value } : others)
  }
  return (
    <>
      <PageHeader title={t('admin:area.audit')} about={t('about')} />
      <div className={shared.filters}>
        <Choice
          label={t('kind')}
          value={(filter.object_type ?? '') as (typeof KINDS)[number]}
          options={KINDS}
          words={(kind) => (kind ? t(`category.${kind}`) : t('all'))}
          onChoose={(kind) => change('object_type', kind)}
        />
        <SelectField label={t('action')} value={filter.action ?? ''} onChange={(event) => change('action', event.currentTarget.value)}>
          <option value="">{t('all')}</option>
          {NOUNS.map((noun) => (
            <optgroup key={noun} label={t(`noun.${noun}`)}>
              {AUDIT_ACTIONS.filter((action) => nounOf(action) === noun).map((action) => (
                <option key={action} value={action}>
                  {t(`label.${action}`)}
                </option>
              ))}
            </optgroup>
          ))}
        </SelectField>
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            label={t(end)}
            type="date"
            onBlur={(event) => change(`date_${end}`, event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && change(`date_${end}`, event.currentTarget.value)}
          />
        ))}
      </div>
      <QueryState
        query={list}
        lines={8}
        isEmpty={entries.length === 0}
        empty={
          <Empty title={t('empty')} icon={<ScrollText aria-hidden="true" />}>
            <p>{t('emptyHint')}</p>
          </Empty>
        }
      />
      {byDay(entries).map(([name, own]) => (
        <Card key={name}>
          <h2 className={style.day}>{name}</h2>
          <ul>
            {own.map((entry) => (
              <AuditEntry key={entry.id} entry={entry} />
            ))}
          </ul>
        </Card>
      ))}
      <LoadMore list={list} />
    </>
  )
}
