import { lazy, Suspense } from 'react'
import type { ConfirmProps } from './confirm-dialog.tsx'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

/** Asks before something that cannot be taken back; stays open, with the reason, where it is refused. */
export const Confirm = (props: ConfirmProps) => (
  <Suspense>
    <ConfirmDialog {...props} />
  </Suspense>
)
