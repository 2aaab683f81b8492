import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../../ui/confirm.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { decide, type HeldItem } from './queries.ts'

interface Props {
  readonly item: HeldItem
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Confirms a rejection and asks for an optional note to the author. */
export const RejectDialog = ({ item, onClose, onDone }: Props) => {
  const { t } = useTranslation('admin')
  const [note, setNote] = useState('')
  const reject = async () => {
    await decide(item, 'reject', note)
    onDone()
  }
  return (
    <Confirm title={t('queue.rejectTitle')} action={t('queue.reject')} onConfirm={reject} onClose={onClose}>
      <p>{t('queue.rejectHint', { name: item.xprofile.display_name })}</p>
      <TextArea label={t('queue.note')} value={note} maxLength={2000} onChange={(event) => setNote(event.currentTarget.value)} autoFocus />
    </Confirm>
  )
}
