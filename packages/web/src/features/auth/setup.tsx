import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import { resetSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { AccountFields, EMPTY_ACCOUNT } from './account-fields.tsx'
import style from './auth.module.css'
import { AuthLayout } from './auth-layout.tsx'
import { InvalidLink } from './invalid-link.tsx'

const route = getRouteApi('/setup')

/** Creates the first administrator with the link the server printed. */
export const SetupPage = () => {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const { token } = route.useSearch()
  const [person, setPerson] = useState(EMPTY_ACCOUNT)
  const make = useMutation({
    mutationFn: async () => {
      await client.auth.setup({ ...person, token: token ?? '', display_name: person.display_name.trim() || null })
      await client.auth.login({ login: person.username, password: person.password })
    },
    onSuccess: async () => {
      await resetSession()
      await navigate({ to: '/' })
    },
  })
  const errorOf = formErrors(make.error, Object.keys(EMPTY_ACCOUNT))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  if (!token) return <InvalidLink title={t('setupTitle')} text={t('setupNoToken')} />
  return (
    <AuthLayout title={t('setupTitle')} intro={t('setupIntro')}>
      <form className={style.form} onSubmit={submit}>
        <ErrorMessage>{errorOf('')}</ErrorMessage>
        <AccountFields person={person} onChange={(change) => setPerson({ ...person, ...change })} errorOf={errorOf} />
        <Button kind="primary" type="submit" busy={make.isPending}>
          {t('setupButton')}
        </Button>
      </form>
    </AuthLayout>
  )
}
