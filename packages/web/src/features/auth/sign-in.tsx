import { LyceumError } from '@lyceum/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { communityQuery } from '../../lib/community.ts'
import { forgetEverything } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import style from './auth.module.css'

const route = getRouteApi('/sign-in')

export const SignInPage = () => {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const { to } = route.useSearch()
  const community = useQuery(communityQuery)
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => client.auth.login({ login, password }),
    onSuccess: async () => {
      await forgetEverything()
      // Only ways within the app: anything else could lead a member elsewhere.
      await navigate({ to: to?.startsWith('/') && !to.startsWith('//') ? to : '/' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  const refusal = signIn.error instanceof LyceumError ? signIn.error.message : signIn.error && t('common:failure.offline')
  return (
    <main className={style.page}>
      <Card className={style.card}>
        <img src="/icon.svg" alt="" width={48} height={48} />
        <h1>{t('signInTo', { name: community.data?.site_name ?? 'Lyceum' })}</h1>
        <form className={style.form} onSubmit={submit}>
          <TextField
            label={t('login')}
            value={login}
            onChange={(event) => setLogin(event.currentTarget.value)}
            autoComplete="username"
            autoCapitalize="none"
            required
          />
          <TextField
            label={t('password')}
            type="password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            error={refusal || undefined}
            required
          />
          <Button kind="primary" type="submit" busy={signIn.isPending}>
            {t('signIn')}
          </Button>
        </form>
        <a href="/forgot-password">{t('forgot')}</a>
      </Card>
    </main>
  )
}
