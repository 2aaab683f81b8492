import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Webhook as Icon, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/feedback.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { PageHeader, Tag } from '../form-kit.tsx'
import style from './settings.module.css'
import { WebhookDialog } from './webhook-dialog.tsx'

const webhooksQuery = { queryKey: keys.admin.webhooks, queryFn: async () => (await client.webhooks.list()).webhooks }

export const WebhooksPage = () => {
  const { t } = useTranslation('admin')
  const hooks = useQuery(webhooksQuery)
  const [making, setMaking] = useState(false)
  return (
    <>
      <PageHeader title={t('area.webhooks')} about={t('areaDescription.webhooks')}>
        <Button kind="primary" icon={<Plus aria-hidden="true" />} onClick={() => setMaking(true)}>
          {t('webhooks.add')}
        </Button>
      </PageHeader>
      <QueryState
        query={hooks}
        lines={4}
        isEmpty={hooks.data?.length === 0}
        empty={
          <Empty title={t('webhooks.empty')} icon={<Icon aria-hidden="true" />}>
            <p>{t('webhooks.emptyHint')}</p>
          </Empty>
        }
      />
      {hooks.data && hooks.data.length > 0 && (
        <Card>
          <ul>
            {hooks.data.map((hook) => (
              <li key={hook.id} className={style.row}>
                <div className={style.name}>
                  <Link to="/admin/webhooks/$id" params={{ id: String(hook.id) }}>
                    {hook.name}
                  </Link>
                  <p>{hook.url}</p>
                </div>
                {hook.last_error && <Tag kind="danger">{t('webhooks.failing')}</Tag>}
                <Tag kind={hook.status === 'active' ? 'good' : 'warn'}>{t(`webhooks.${hook.status}`)}</Tag>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {making && <WebhookDialog hook={null} onClose={() => setMaking(false)} />}
    </>
  )
}
