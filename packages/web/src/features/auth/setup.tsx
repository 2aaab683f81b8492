import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { resetSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Refusal } from '../../ui/error-message.tsx'
import { AccountFields, NOBODY } from './account-fields.tsx'
import style from './auth.module.css'
import { AuthFrame } from './auth-layout.tsx'
import { wrongIn } from './field-errors.ts'
import { NoToken } from './invalid-link.tsx'

const route = getRouteApi('/setup')

/** Creates the first administrator with the link the server printed. */
export const SetupPage = () => {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const { token } = route.useSearch()
  const [person, setPerson] = useState(NOBODY)
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
  const wrong = wrongIn(make.error, Object.keys(NOBODY))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  if (!token) return <NoToken title={t('setupTitle')} text={t('setupNoToken')} />
  return (
    <AuthFrame title={t('setupTitle')} intro={t('setupIntro')}>
      <form className={style.form} onSubmit={submit}>
        <Refusal>{wrong('')}</Refusal>
        <AccountFields person={person} onChange={(change) => setPerson({ ...person, ...change })} wrong={wrong} />
        <Button kind="primary" type="submit" busy={make.isPending}>
          {t('setupButton')}
        </Button>
      </form>
    </AuthFrame>
  )
}
