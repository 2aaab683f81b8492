import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { InvalidLink } from './invalid-link.tsx'
import { ResultScreen } from './result-screen.tsx'

interface Props {
  readonly token: string | undefined
  readonly words: {
    readonly title: string
    readonly intro: string
    readonly action: string
    readonly done: string
    readonly doneText?: string
  }
  readonly follow: (token: string) => Promise<unknown>
}

/** Runs the action of an email link on a click, because link scanners must not use up the token. */
const LinkPage = ({ token, words, follow }: Props) => {
  const { t } = useTranslation('auth')
  const work = useMutation({ mutationFn: () => follow(token ?? '') })
  if (!token) return <InvalidLink title={words.title} text={t('linkIncomplete')} />
  if (work.isSuccess)
    return (
      <AuthLayout title={words.title}>
        <ResultScreen kind="done" title={words.done}>
          {words.doneText && <p>{words.doneText}</p>}
          <Link to="/sign-in">{t('signIn')}</Link>
        </ResultScreen>
      </AuthLayout>
    )
  return (
    <AuthLayout title={words.title} intro={words.intro}>
      <ErrorMessage>{work.error ? errorMessage(work.error) : undefined}</ErrorMessage>
      <Button kind="primary" busy={work.isPending} onClick={() => work.mutate()}>
        {words.action}
      </Button>
    </AuthLayout>
  )
}

const confirm = getRouteApi('/confirm-email')

/** Confirms the new email address of an account. */
export const ConfirmEmailPage = () => {
  const { t } = useTranslation('auth')
  const words = {
    title: t('newAddressTitle'),
    intro: t('newAddressIntro'),
    action: t('verifyButton'),
    done: t('newAddressDone'),
  }
  return <LinkPage token={confirm.useSearch().token} words={words} follow={(token) => client.auth.confirmEmail({ token })} />
}

const undo = getRouteApi('/undo-email-change')

/** Undoes an email address change for the previous owner. */
export const UndoEmailChangePage = () => {
  const { t } = useTranslation('auth')
  const words = {
    title: t('undoTitle'),
    intro: t('undoIntro'),
    action: t('undoButton'),
    done: t('undoDone'),
    doneText: t('undoDoneText'),
  }
  return <LinkPage token={undo.useSearch().token} words={words} follow={(token) => client.auth.undoEmailChange({ token })} />
}
