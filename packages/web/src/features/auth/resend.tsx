import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'

/** Resends the confirmation email. */
export const Resend = ({ login }: { readonly login: string }) => {
  const { t } = useTranslation('auth')
  const resend = useMutation({ mutationFn: () => client.auth.resendVerification({ login }) })
  if (resend.isSuccess) return <p role="status">{t('resent')}</p>
  return (
    <>
      <Button busy={resend.isPending} onClick={() => resend.mutate()}>
        {t('resend')}
      </Button>
      <ErrorMessage>{resend.error ? errorMessage(resend.error) : undefined}</ErrorMessage>
    </>
  )
}
