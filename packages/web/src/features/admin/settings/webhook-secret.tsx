import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import style from './settings.module.css'

/** Shows a secret, once. */
export const SecretDialog = ({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin')
  return (
    <Dialog title={t('webhooks.secret')} onClose={onClose} lightly={false}>
      <p>{t('webhooks.secretHint')}</p>
      <p className={style.code}>{secret}</p>
    </Dialog>
  )
}

/** Asks whether the secret is to be replaced, and shows the new one. */
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
      // It also closes once it is done, when there is a secret to be seen.
      onClose={() => shown.current || onClose()}
      onConfirm={async () => {
        const { secret: made } = await client.webhooks.rotateSecret({ webhook_id: id })
        shown.current = true
        setSecret(made)
        await queryClient.invalidateQueries({ queryKey: ['admin', 'webhooks'] })
      }}
    >
      <p>{t('webhooks.rotateHint')}</p>
    </Confirm>
  )
}
