import type { Inputs } from '@lyceum/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import style from './report-dialog.module.css'

type Report = Inputs['moderation']['report']

const REASONS = ['spam', 'harassment', 'hate_speech', 'inappropriate', 'misinformation', 'violence', 'other'] as const

interface Props {
  readonly of: Report['object_type']
  readonly id: number
  readonly onClose: () => void
}

/** Reports content. Choosing a reason sends the report; only “other” asks for details. */
export const ReportDialog = ({ of, id, onClose }: Props) => {
  const { t } = useTranslation('feeds')
  const [other, setOther] = useState(false)
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const send = async (reason: Report['reason']) => {
    setBusy(true)
    try {
      await client.moderation.report({ object_id: id, object_type: of, reason, ...(words.trim() && { description: words }) })
      toast(t('report.sent'))
      onClose()
    } catch (error) {
      setRefusal(errorMessage(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('report.title')} onClose={onClose}>
      <p className={style.hint}>{t('report.hint')}</p>
      <div className={style.reasons}>
        {REASONS.map((reason) => (
          <Button
            key={reason}
            busy={busy}
            aria-expanded={reason === 'other' ? other : undefined}
            onClick={() => (reason === 'other' ? setOther(true) : send(reason))}
          >
            {t(`report.${reason}`)}
          </Button>
        ))}
      </div>
      {other && (
        <form
          className={style.other}
          onSubmit={(event) => {
            event.preventDefault()
            void send('other')
          }}
        >
          <TextArea
            label={t('report.details')}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            maxLength={2000}
            required
            autoFocus
          />
          <Button kind="primary" type="submit" busy={busy} disabled={words.trim() === ''}>
            {t('report.send')}
          </Button>
        </form>
      )}
      <ErrorMessage>{refusal}</ErrorMessage>
    </Dialog>
  )
}
