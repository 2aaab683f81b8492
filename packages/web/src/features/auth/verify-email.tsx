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

const route = getRouteApi('/verify-email')

const codeOf = (error: unknown) => (error instanceof LyceumError ? error.code : '')

/** Confirms an email address on a click, because link scanners must not use up the token. */
export const VerifyEmailPage = () => {
  const { t } = useTranslation('auth')
  const { token } = route.useSearch()
  const [password, setPassword] = useState('')
  const [username, setUsername] = useState('')
  const [asked, setAsked] = useState({ password: false, username: false })
  const verify = useMutation({
    mutationFn: async () =>
      (await client.auth.verifyEmail({ token: token ?? '', ...(asked.password && { password }), ...(asked.username && { username }) }))
        .data,
    onError: (error) =>
      setAsked({
        password: asked.password || codeOf(error) === 'password_required',
        username: asked.username || codeOf(error) === 'username_taken',
      }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    verify.mutate()
  }
  if (!token) return <InvalidLink title={t('verifyTitle')} text={t('linkIncomplete')} />
  if (verify.data)
    return (
      <AuthLayout title={t('verifyTitle')}>
        {verify.data.status === 'active' ? (
          <ResultScreen kind="done" title={t('verifyDone')}>
            <Link to="/sign-in">{t('signIn')}</Link>
          </ResultScreen>
        ) : (
          <ResultScreen kind="waiting" title={t('verifyDone')}>
            <p>{t('pendingText')}</p>
          </ResultScreen>
        )}
      </AuthLayout>
    )
  const errorOf = codeOf(verify.error) === 'password_required' ? () => undefined : formErrors(verify.error, ['password', 'username'])
  return (
    <AuthLayout title={t('verifyTitle')} intro={asked.password ? t('verifyChoose') : t('verifyIntro')}>
      <form className={style.form} onSubmit={submit}>
        <ErrorMessage>{errorOf('')}</ErrorMessage>
        {asked.username && <OtherUsername value={username} onChange={setUsername} error={errorOf('username')} />}
        {asked.password && <NewPassword value={password} onChange={setPassword} error={errorOf('password')} />}
        <Button kind="primary" type="submit" busy={verify.isPending}>
          {t('verifyButton')}
        </Button>
      </form>
    </AuthLayout>
  )
}
