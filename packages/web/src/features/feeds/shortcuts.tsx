import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../lib/shortcuts.ts'

const ShortcutsDialog = lazy(() => import('./keys-dialog.tsx').then(({ ShortcutsDialog: component }) => ({ default: component })))

/** Global keyboard shortcuts and the list of all shortcuts. */
export const Shortcuts = () => {
  const { t } = useTranslation('feeds')
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  useShortcut('/', t('shortcuts.search'), () => void navigate({ to: '/search', search: { q: '' } }))
  useShortcut('?', t('shortcuts.help'), () => setOpen(true))
  return (
    open && (
      <Suspense>
        <ShortcutsDialog onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
