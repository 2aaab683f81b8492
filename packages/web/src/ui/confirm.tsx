import { lazy, Suspense } from 'react'
import type { ConfirmProps } from './confirm-dialog.tsx'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

/** Asks for confirmation of an irreversible action. Stays open and shows the error if the action fails. */
export const Confirm = (props: ConfirmProps) => (
  <Suspense>
    <ConfirmDialog {...props} />
  </Suspense>
)
