import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { TextField } from '../../ui/field.tsx'
import style from './auth.module.css'
import { AuthLayout } from './auth-layout.tsx'
import { ResultScreen } from './result-screen.tsx'

export const ForgotPasswordPage = () => {
  const { t } = useTranslation('auth')
  const [login, setLogin] = useState('')
  const ask = useMutation({ mutationFn: () => client.auth.forgotPassword({ login }) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  const back = <Link to="/sign-in">{t('backToSignIn')}</Link>
  if (ask.isSuccess)
    return (
      <AuthLayout title={t('forgotTitle')} after={back}>
        <ResultScreen kind="mail" title={t('forgotDone')}>
          <p>{t('forgotDoneText')}</p>
        </ResultScreen>
      </AuthLayout>
    )
  return (
    <AuthLayout title={t('forgotTitle')} intro={t('forgotIntro')} after={back}>
      <form className={style.form} onSubmit={submit}>
        <ErrorMessage>{ask.error ? errorMessage(ask.error) : undefined}</ErrorMessage>
        <TextField
          label={t('login')}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Button kind="primary" type="submit" busy={ask.isPending}>
          {t('forgotButton')}
        </Button>
      </form>
    </AuthLayout>
  )
}
