import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { reasonOf } from '../../lib/doing.ts'
import { Button } from '../../ui/button.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { AuthFrame } from './frame.tsx'
import { NoToken } from './no-token.tsx'
import { Outcome } from './outcome.tsx'

const route = getRouteApi('/verify-email')

/** Where an address is confirmed: at a press, since what only looks at links in mails must not use them up. */
export const VerifyEmailPage = () => {
  const { t } = useTranslation('auth')
  const { token } = route.useSearch()
  const verify = useMutation({ mutationFn: async () => (await client.auth.verifyEmail({ token: token ?? '' })).data })
  if (!token) return <NoToken title={t('verifyTitle')} text={t('linkIncomplete')} />
  if (verify.data)
    return (
      <AuthFrame title={t('verifyTitle')}>
        {verify.data.status === 'active' ? (
          <Outcome kind="done" title={t('verifyDone')}>
            <Link to="/sign-in">{t('signIn')}</Link>
          </Outcome>
        ) : (
          <Outcome kind="waiting" title={t('verifyDone')}>
            <p>{t('pendingText')}</p>
          </Outcome>
        )}
      </AuthFrame>
    )
  return (
    <AuthFrame title={t('verifyTitle')} intro={t('verifyIntro')}>
      <Refusal>{verify.error ? reasonOf(verify.error) : undefined}</Refusal>
      <Button kind="primary" busy={verify.isPending} onClick={() => verify.mutate()}>
        {t('verifyButton')}
      </Button>
    </AuthFrame>
  )
}
