import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import style from './settings.module.css'

/** Shows a new secret once. */
export const SecretDialog = ({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin')
  return (
    <Dialog title={t('webhooks.secret')} onClose={onClose} lightly={false}>
      <p>{t('webhooks.secretHint')}</p>
      <p className={style.code}>{secret}</p>
    </Dialog>
  )
}

/** Confirms the rotation and shows the new secret. */
export const RotateSecret = ({ id, onClose }: { readonly id: number; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin')
  const [secret, setSecret] = useState('')
  const shown = useRef(false)
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />
  return (
    <Confirm
      title={t('webhooks.rotateTitle')}
      action={t('webhooks.rotate')}
      danger={false}
      // The confirmation also closes on success; the secret is shown then.
      onClose={() => shown.current || onClose()}
      onConfirm={async () => {
        const { secret: made } = await client.webhooks.rotateSecret({ webhook_id: id })
        shown.current = true
        setSecret(made)
        await queryClient.invalidateQueries({ queryKey: keys.admin.webhooks })
      }}
    >
      <p>{t('webhooks.rotateHint')}</p>
    </Confirm>
  )
}
