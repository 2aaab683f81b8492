import { useInfiniteQuery } from '@tanstack/react-query'
import { UserCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { errorMessage } from '../../../lib/optimistic.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { relativeTime } from '../../../lib/time.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Empty } from '../../../ui/feedback.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { PageHeader } from '../form-kit.tsx'
import style from './members.module.css'
import { registrationsQuery } from './queries.ts'

const STATUSES = ['pending', 'unverified'] as const
const refresh = () => queryClient.invalidateQueries({ queryKey: keys.admin.registrationLists })

export const RegistrationsPage = () => {
  const { t } = useTranslation('admin')
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('pending')
  const [refused, setRefused] = useState<{ readonly id: number; readonly name: string } | null>(null)
  const [reason, setReason] = useState('')
  const list = useInfiniteQuery(registrationsQuery(status))
  const people = list.data?.pages.flatMap((page) => page.data) ?? []
  const approve = async (id: number, name: string) => {
    try {
      await client.registrations.approve({ user_id: id })
      toast(t('registrations.approved', { name }))
      await refresh()
    } catch (error) {
      toast(errorMessage(error), 'failed')
    }
  }
  return (
    <>
      <PageHeader title={t('area.registrations')} about={t('registrations.about')} />
      <SegmentedControl
        label={t('members.status')}
        value={status}
        options={STATUSES.map((value) => ({ value, label: t(`registrations.${value}`) }))}
        onChange={setStatus}
      />
      <QueryState
        query={list}
        lines={6}
        isEmpty={people.length === 0}
        empty={
          <Empty title={t('registrations.empty')} icon={<UserCheck aria-hidden="true" />}>
            <p>{t('registrations.emptyHint')}</p>
          </Empty>
        }
      />
      {people.length > 0 && (
        <Card>
          <ul className={style.rows}>
            {people.map(({ id, display_name, username, email, created_at }) => (
              <li key={id} className={style.row}>
                <Avatar name={display_name} />
                <div className={style.who}>
                  <strong>{display_name}</strong>
                  <p className={style.soft}>{[`@${username}`, email, relativeTime(created_at)].filter(Boolean).join(' · ')}</p>
                </div>
                <Button kind="primary" onClick={() => approve(id, display_name)}>
                  {t('registrations.approve')}
                </Button>
                <Button onClick={() => setRefused({ id, name: display_name })}>{t('registrations.reject')}</Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <LoadMore list={list} />
      {refused && (
        <Confirm
          title={t('registrations.rejectTitle', { name: refused.name })}
          action={t('registrations.reject')}
          onClose={() => setRefused(null)}
          onConfirm={async () => {
            await client.registrations.reject({ user_id: refused.id, ...(reason.trim() && { reason: reason.trim() }) })
            setReason('')
            await refresh()
          }}
        >
          <p>{t('registrations.rejectHint')}</p>
          <TextArea
            label={t('registrations.reason')}
            value={reason}
            maxLength={1000}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Confirm>
      )}
    </>
  )
}
