import { EDIT_REASON } from '@lyceum/sdk/values'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/field.tsx'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | undefined
}

/** Asks a moderator for the reason of an edit. */
export const EditReasonField = ({ value, onChange, error }: Props) => {
  const { t } = useTranslation('feeds')
  return (
    <TextField
      label={t('moderated.reason')}
      hint={t('moderated.hint')}
      value={value}
      maxLength={EDIT_REASON.max}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
