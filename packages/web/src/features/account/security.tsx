import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { queryClient } from '../../lib/query.ts'
import { keys } from '../../lib/query-keys.ts'
import { sessionQuery, useMe } from '../../lib/session.ts'
import { profileQuery } from '../people/queries.ts'
import { ApplicationPasswords } from './application-passwords.tsx'
import { ConfirmPasswordForm } from './confirm-password-form.tsx'

/** Username, email address, password and application passwords. */
export const SecurityPage = () => {
  const { t } = useTranslation('account')
  const me = useMe()
  const { data: profile } = useSuspenseQuery(profileQuery(me.username))
  const refetch = () => queryClient.invalidateQueries({ queryKey: keys.profiles.all })
  return (
    <>
      <ConfirmPasswordForm
        title={t('password.title')}
        text={t('password.text')}
        field="password"
        label={t('password.label')}
        hint={t('password.hint')}
        type="password"
        autoComplete="new-password"
        action={t('password.action')}
        done={t('password.changed')}
        option={{ label: t('password.keep'), hint: t('password.keepHint') }}
        save={async (new_password, current_password, keep_application_passwords) => {
          await client.account.changePassword({ new_password, current_password, keep_application_passwords })
          await queryClient.invalidateQueries({ queryKey: keys.account.all })
          return undefined
        }}
      />
      {profile.can_change_email && (
        <ConfirmPasswordForm
          title={t('email.title')}
          text={t('email.text', { email: profile.email })}
          field="email"
          label={t('email.label')}
          type="email"
          autoComplete="email"
          action={t('email.action')}
          done={t('email.changed')}
          save={async (email, current_password) => {
            const { data } = await client.account.changeEmail({ email, current_password })
            await refetch()
            return data.status === 'unconfirmed' ? t('email.unconfirmed', { email: data.email }) : undefined
          }}
        />
      )}
      {profile.can_change_username && (
        <ConfirmPasswordForm
          title={t('username.title')}
          text={t('username.text')}
          field="username"
          label={t('username.label')}
          type="text"
          autoComplete="username"
          value={me.username}
          action={t('username.action')}
          done={t('username.changed')}
          save={async (username, current_password) => {
            await client.account.changeUsername({ username, current_password })
            await queryClient.fetchQuery(profileQuery(username))
            await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
            return undefined
          }}
        />
      )}
      <ApplicationPasswords />
    </>
  )
}
