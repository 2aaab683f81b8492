import { LyceumError } from '@lyceum/sdk'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { NewPassword } from './account-fields.tsx'
import style from './auth.module.css'
import { AuthLayout } from './auth-layout.tsx'
import { InvalidLink } from './invalid-link.tsx'
import { OtherUsername } from './other-username.tsx'
import { ResultScreen } from './result-screen.tsx'

const route = getRouteApi('/reset-password')

export const ResetPasswordPage = () => {
  const { t } = useTranslation('auth')
  const { token } = route.useSearch()
  const [password, setPassword] = useState('')
  const [username, setUsername] = useState<string | null>(null)
  const reset = useMutation({
    mutationFn: () => client.auth.resetPassword({ token: token ?? '', password, ...(username !== null && { username }) }),
    onError: (error) => {
      if (error instanceof LyceumError && error.code === 'username_taken') setUsername(username ?? '')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    reset.mutate()
  }
  const errorOf = formErrors(reset.error, ['password', 'username'])
  if (!token) return <InvalidLink title={t('resetTitle')} text={t('linkIncomplete')} />
  if (reset.isSuccess)
    return (
      <AuthLayout title={t('resetTitle')}>
        <ResultScreen kind="done" title={t('resetDone')}>
          <p>{t('resetDoneText')}</p>
          <Link to="/sign-in">{t('signIn')}</Link>
        </ResultScreen>
      </AuthLayout>
    )
  const stale = reset.error instanceof LyceumError && reset.error.code === 'invalid_token'
  return (
    <AuthLayout title={t('resetTitle')} intro={t('resetIntro')} after={stale && <Link to="/forgot-password">{t('anotherLink')}</Link>}>
      <form className={style.form} onSubmit={submit}>
        <ErrorMessage>{errorOf('')}</ErrorMessage>
        {username !== null && <OtherUsername value={username} onChange={setUsername} error={errorOf('username')} />}
        <NewPassword value={password} onChange={setPassword} error={errorOf('password')} />
        <Button kind="primary" type="submit" busy={reset.isPending}>
          {t('resetButton')}
        </Button>
      </form>
    </AuthLayout>
  )
}
