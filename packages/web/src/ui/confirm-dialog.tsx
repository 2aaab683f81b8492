import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../lib/optimistic.ts'
import { Button } from './button.tsx'
import style from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { ErrorMessage } from './error-message.tsx'

export interface ConfirmProps {
  readonly title: string
  /** Label of the confirm button. */
  readonly action: string
  readonly danger?: boolean
  readonly children?: ReactNode
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

export const ConfirmDialog = ({ title, action, danger = true, children, onConfirm, onClose }: ConfirmProps) => {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const confirm = async () => {
    setBusy(true)
    setRefusal('')
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setRefusal(errorMessage(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ErrorMessage>{refusal}</ErrorMessage>
      <div className={style.end}>
        <Button kind="quiet" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
