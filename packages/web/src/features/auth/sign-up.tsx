import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import { communityQuery } from '../../lib/community.ts'
import { resetSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { Check } from '../../ui/field.tsx'
import { AccountFields, EMPTY_ACCOUNT } from './account-fields.tsx'
import style from './auth.module.css'
import { AuthLayout } from './auth-layout.tsx'
import { Resend } from './resend.tsx'
import { ResultScreen } from './result-screen.tsx'

export const SignUpPage = () => {
  const { t } = useTranslation('auth')
  const { data: community, isPending } = useQuery(communityQuery)
  const [person, setPerson] = useState(EMPTY_ACCOUNT)
  const navigate = useNavigate()
  const register = useMutation({
    mutationFn: async () => {
      const { data } = await client.auth.register({ ...person, display_name: person.display_name.trim() || null })
      const { username: login, password } = person
      // The account exists even if signing in fails.
      const isIn = data.status === 'active' && (await client.auth.login({ login, password }).catch(() => null)) !== null
      return { data, isIn }
    },
    onSuccess: async ({ isIn }) => {
      if (!isIn) return
      await resetSession()
      await navigate({ to: '/' })
    },
  })
  const errorOf = formErrors(register.error, Object.keys(EMPTY_ACCOUNT))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    register.mutate()
  }
  const words = community?.appearance.auth.signup
  const title = words?.form.title || t('signUpTo', { name: community?.site_name ?? 'Lyceum' })
  const back = (
    <>
      <span>{t('haveAccount')}</span> <Link to="/sign-in">{t('signIn')}</Link>
    </>
  )
  if (isPending)
    return (
      <AuthLayout title={title}>
        <Skeleton lines={6} />
      </AuthLayout>
    )
  if (community && !community.allow_registration)
    return (
      <AuthLayout title={title} after={back}>
        <ResultScreen kind="waiting" title={t('closedTitle')}>
          <p>{t('closedText')}</p>
        </ResultScreen>
      </AuthLayout>
    )
  if (register.data && !register.data.isIn) {
    const { status, email } = register.data.data
    return (
      <AuthLayout title={title} after={status === 'active' ? undefined : back}>
        {status === 'active' && (
          <ResultScreen kind="done" title={t('readyTitle')}>
            <p>{t('readyText')}</p>
            <Link to="/sign-in">{t('signIn')}</Link>
          </ResultScreen>
        )}
        {status === 'unverified' && (
          <ResultScreen kind="mail" title={t('mailTitle')}>
            <p>{t('mailText', { email })}</p>
            <Resend login={email} />
          </ResultScreen>
        )}
        {status === 'pending' && (
          <ResultScreen kind="waiting" title={t('pendingTitle')}>
            <p>{t('pendingText')}</p>
          </ResultScreen>
        )}
      </AuthLayout>
    )
  }
  const terms = words?.terms
  return (
    <AuthLayout title={title} intro={words?.form.description || undefined} after={back}>
      <form className={style.form} onSubmit={submit}>
        <ErrorMessage>{errorOf('')}</ErrorMessage>
        <AccountFields person={person} onChange={(change) => setPerson({ ...person, ...change })} errorOf={errorOf} />
        {terms?.enabled === 'yes' && (
          <>
            <Check label={terms.label || t('terms')} required />
            {terms.url && (
              <a href={terms.url} target="_blank" rel="noreferrer">
                {t('readTerms')}
              </a>
            )}
          </>
        )}
        <Button kind="primary" type="submit" busy={register.isPending || register.isSuccess}>
          {words?.form.button_label || t('signUp')}
        </Button>
      </form>
    </AuthLayout>
  )
}
