import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKey } from '../../lib/shortcuts.ts'

const KeysDialog = lazy(() => import('./keys-dialog.tsx').then(({ KeysDialog: component }) => ({ default: component })))

/** Global keyboard shortcuts and the list of all shortcuts. */
export const Shortcuts = () => {
  const { t } = useTranslation('feeds')
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  useKey('/', t('shortcuts.search'), () => void navigate({ to: '/search', search: { q: '' } }))
  useKey('?', t('shortcuts.help'), () => setOpen(true))
  return (
    open && (
      <Suspense>
        <KeysDialog onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
