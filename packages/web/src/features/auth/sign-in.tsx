import { LyceumError } from '@lyceum/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { communityQuery } from '../../lib/community.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { resetSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import style from './auth.module.css'
import { AuthLayout } from './auth-layout.tsx'
import { Resend } from './resend.tsx'
import { ResultScreen } from './result-screen.tsx'
import { safeRedirect } from './safe-redirect.ts'

const route = getRouteApi('/sign-in')

export const SignInPage = () => {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const { to } = route.useSearch()
  const { data: community } = useQuery(communityQuery)
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => client.auth.login({ login, password }),
    onSuccess: async () => {
      await resetSession()
      await navigate({ to: safeRedirect(to) })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  const refused = signIn.error instanceof LyceumError && signIn.error.status === 401
  const code = signIn.error instanceof LyceumError ? signIn.error.code : null
  const words = community?.appearance.auth.login.form
  const title = words?.title || t('signInTo', { name: community?.site_name ?? 'Lyceum' })
  if (code === 'email_not_verified')
    return (
      <AuthLayout title={title} after={<Link to="/sign-in">{t('signIn')}</Link>}>
        <ResultScreen kind="mail" title={t('unverifiedTitle')}>
          <p>{t('unverifiedText')}</p>
          <Resend login={login} />
        </ResultScreen>
      </AuthLayout>
    )
  if (code === 'account_pending')
    return (
      <AuthLayout title={title}>
        <ResultScreen kind="waiting" title={t('pendingTitle')}>
          <p>{t('pendingText')}</p>
        </ResultScreen>
      </AuthLayout>
    )
  return (
    <AuthLayout
      title={title}
      intro={words?.description || undefined}
      greets
      after={
        community?.allow_registration && (
          <>
            <span>{t('noAccount')}</span> <Link to="/sign-up">{t('join')}</Link>
          </>
        )
      }
    >
      <form className={style.form} onSubmit={submit}>
        <TextField
          label={t('login')}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextField
          label={t('password')}
          type="password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          error={signIn.error ? (refused ? t('refused') : errorMessage(signIn.error)) : undefined}
          required
        />
        <p className={style.between}>
          <Link to="/forgot-password">{t('forgot')}</Link>
        </p>
        <Button kind="primary" type="submit" busy={signIn.isPending}>
          {words?.button_label || t('signIn')}
        </Button>
      </form>
    </AuthLayout>
  )
}
