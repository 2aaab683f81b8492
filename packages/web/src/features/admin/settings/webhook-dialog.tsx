import type { Answers } from '@lyceum/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { useMe } from '../../../lib/session.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Check, TextField } from '../../../ui/field.tsx'
import { SaveForm } from '../form-kit.tsx'
import { WebhookEvents } from './webhook-events.tsx'
import { SecretDialog } from './webhook-secret.tsx'

type Hook = Answers['webhooks']['list']['webhooks'][number]

/** Creates or edits a webhook. The secret is shown once, after creation. */
export const WebhookDialog = ({ hook, onClose }: { readonly hook: Hook | null; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin')
  const apiForm = useApiForm({ fields: ['name', 'url'] })
  const isAdmin = useMe().role === 'admin'
  const [form, setForm] = useState({
    name: hook?.name ?? '',
    url: hook?.url ?? '',
    events: hook?.events ?? [],
    on: hook?.status !== 'inactive',
    all: hook?.all_content ?? false,
  })
  const [secret, setSecret] = useState('')
  const error = (field: string) => apiForm.errorOf(field)
  const save = async () => {
    const status = form.on ? ('active' as const) : ('inactive' as const)
    const sent = { name: form.name, url: form.url, events: [...form.events], status, ...(isAdmin && { all_content: form.all }) }
    const done = await apiForm.run(async () => {
      if (hook) await client.webhooks.update({ webhook_id: hook.id, ...sent })
      else setSecret((await client.webhooks.create(sent)).secret)
      await queryClient.invalidateQueries({ queryKey: keys.admin.webhooks })
    }, t('saved'))
    if (done && hook) onClose()
  }
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />
  return (
    <Dialog title={t(hook ? 'webhooks.edit' : 'webhooks.add')} onClose={onClose} wide lightly={false}>
      <SaveForm form={apiForm} onSave={save}>
        <TextField
          label={t('webhooks.name')}
          error={error('name')}
          value={form.name}
          required
          maxLength={100}
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
        />
        <TextField
          label={t('webhooks.url')}
          hint={t('webhooks.urlHint')}
          error={error('url')}
          type="url"
          required
          value={form.url}
          onChange={(event) => setForm({ ...form, url: event.currentTarget.value })}
        />
        <WebhookEvents chosen={form.events} onChoose={(events) => setForm({ ...form, events })} />
        {isAdmin && (
          <Check
            label={t('webhooks.allContent')}
            hint={t('webhooks.allContentHint')}
            checked={form.all}
            onChange={(event) => setForm({ ...form, all: event.currentTarget.checked })}
          />
        )}
        <Check label={t('webhooks.active')} checked={form.on} onChange={(event) => setForm({ ...form, on: event.currentTarget.checked })} />
      </SaveForm>
    </Dialog>
  )
}
