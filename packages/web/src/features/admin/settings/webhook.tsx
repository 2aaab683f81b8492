import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { errorMessage } from '../../../lib/optimistic.ts'
import { nextPage } from '../../../lib/pagination.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { fullDateTime } from '../../../lib/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { FormSection, PageHeader, Tag } from '../form-kit.tsx'
import style from './settings.module.css'
import { WebhookDialog } from './webhook-dialog.tsx'
import { RotateSecret } from './webhook-secret.tsx'

const KINDS = { delivered: 'good', failed: 'danger', pending: 'warn', skipped: 'plain' } as const

/** Poll interval for pending deliveries. */
const LOOK_MS = 2000
const isOnItsWay = ({ status }: { readonly status: keyof typeof KINDS }) => status === 'pending'

/** A webhook with its delivery history. */
export const WebhookPage = () => {
  const { t } = useTranslation('admin')
  const id = Number(useParams({ strict: false }).id)
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'remove' | 'rotate' | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const key = keys.admin.webhook(id)
  // No requests during the deletion: they would be answered with 404.
  const enabled = !isRemoving
  const hook = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await client.webhooks.one({ webhook_id: id }, { signal })).data,
    enabled,
  })
  const list = useInfiniteQuery({
    queryKey: keys.admin.deliveries(id),
    enabled,
    queryFn: ({ pageParam, signal }) => client.webhooks.deliveries({ webhook_id: id, page: pageParam }, { signal }),
    initialPageParam: 1,
    refetchInterval: ({ state: { data } }) => (data?.pages.some((page) => page.deliveries.some(isOnItsWay)) ? LOOK_MS : false),
    getNextPageParam: ({ pagination }) => nextPage(pagination),
  })
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? []
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work()
      toast(t('webhooks.sent'))
    } catch (error) {
      toast(errorMessage(error), 'failed')
    }
    await queryClient.invalidateQueries({ queryKey: key })
  }
  const remove = async () => {
    setRemoving(true)
    try {
      await queryClient.cancelQueries({ queryKey: key })
      await client.webhooks.remove({ webhook_id: id })
    } catch (error) {
      setRemoving(false)
      throw error
    }
    await navigate({ to: '/admin/webhooks' })
  }
  if (!hook.data) return <QueryState query={hook} lines={6} />
  return (
    <>
      <Link to="/admin/webhooks">{t('webhooks.back')}</Link>
      <PageHeader title={hook.data.name} about={hook.data.url}>
        <Button onClick={() => act(() => client.webhooks.test({ webhook_id: id }))}>{t('webhooks.test')}</Button>
        <Button onClick={() => setOpen('edit')}>{t('common:edit')}</Button>
        <Button onClick={() => setOpen('rotate')}>{t('webhooks.rotate')}</Button>
        <Button onClick={() => setOpen('remove')}>{t('common:delete')}</Button>
      </PageHeader>
      <FormSection title={t('webhooks.deliveries')} hint={t('webhooks.deliveriesHint')}>
        {list.data && deliveries.length === 0 && <p className={style.soft}>{t('webhooks.none')}</p>}
        <ul>
          {deliveries.map((delivery) => (
            <li key={delivery.id} className={style.row}>
              <div className={style.name}>
                <strong>{t(`event.${delivery.event}`)}</strong>
                <p>
                  {delivery.event} · {fullDateTime(delivery.occurred_at)} · {t('webhooks.attempts', { count: delivery.attempts })}
                  {delivery.response_code !== null && ` · ${delivery.response_code}`}
                  {delivery.error && ` · ${delivery.error}`}
                </p>
              </div>
              <Tag kind={KINDS[delivery.status]}>{t(`delivery.${delivery.status}`)}</Tag>
              <Button onClick={() => act(() => client.webhooks.redeliver({ webhook_id: id, delivery_id: delivery.id }))}>
                {t('webhooks.redeliver')}
              </Button>
            </li>
          ))}
        </ul>
        <LoadMore list={list} />
      </FormSection>
      {open === 'edit' && <WebhookDialog hook={hook.data} onClose={() => setOpen(null)} />}
      {open === 'rotate' && <RotateSecret id={id} onClose={() => setOpen(null)} />}
      {open === 'remove' && (
        <Confirm title={t('webhooks.removeTitle')} action={t('common:delete')} onClose={() => setOpen(null)} onConfirm={remove}>
          <p>{t('webhooks.removeHint')}</p>
        </Confirm>
      )}
    </>
  )
}
