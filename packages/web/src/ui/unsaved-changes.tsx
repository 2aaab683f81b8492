import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Confirm } from './confirm.tsx'

/** Asks for confirmation before leaving a page with unsaved changes. */
export const UnsavedChangesGuard = ({ when }: { readonly when: boolean }) => {
  const { t } = useTranslation()
  const { status, proceed, reset } = useBlocker({ shouldBlockFn: () => when, enableBeforeUnload: when, withResolver: true })
  if (status !== 'blocked') return null
  return (
    <Confirm title={t('unsaved.title')} action={t('unsaved.leave')} onConfirm={async () => proceed()} onClose={reset}>
      <p>{t('unsaved.text')}</p>
    </Confirm>
  )
}
