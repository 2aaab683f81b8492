import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/field.tsx'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** Asks for another username if the chosen one has been taken since. */
export const OtherUsername = ({ value, onChange, error }: Props) => {
  const { t } = useTranslation('auth')
  return (
    <TextField
      label={t('username')}
      hint={t('usernameHint')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      error={error}
      required
    />
  )
}
