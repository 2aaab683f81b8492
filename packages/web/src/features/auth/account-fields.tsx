import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/field.tsx'

export interface NewAccount {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly display_name: string
}

export const EMPTY_ACCOUNT: NewAccount = { username: '', email: '', password: '', display_name: '' }

interface Props {
  readonly person: NewAccount
  readonly onChange: (change: Partial<NewAccount>) => void
  /** The error of a field. */
  readonly errorOf: (field: string) => string | undefined
}

export const AccountFields = ({ person, onChange, errorOf }: Props) => {
  const { t } = useTranslation('auth')
  return (
    <>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        value={person.display_name}
        onChange={(event) => onChange({ display_name: event.currentTarget.value })}
        autoComplete="name"
        maxLength={100}
        error={errorOf('display_name')}
      />
      <TextField
        label={t('username')}
        hint={t('usernameHint')}
        value={person.username}
        onChange={(event) => onChange({ username: event.currentTarget.value })}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errorOf('username')}
        required
      />
      <TextField
        label={t('email')}
        type="email"
        value={person.email}
        onChange={(event) => onChange({ email: event.currentTarget.value })}
        autoComplete="email"
        error={errorOf('email')}
        required
      />
      <NewPassword value={person.password} onChange={(password) => onChange({ password })} error={errorOf('password')} />
    </>
  )
}

interface PasswordProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** A field for a new password. */
export const NewPassword = ({ value, onChange, error }: PasswordProps) => {
  const { t } = useTranslation('auth')
  return (
    <TextField
      label={t('newPassword')}
      hint={t('passwordHint')}
      type="password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="new-password"
      error={error}
      required
    />
  )
}
